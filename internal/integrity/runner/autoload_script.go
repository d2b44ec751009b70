package runner

import (
	"context"
	"regexp"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/syntax"
)

func (c *comparison) setupScript(ctx context.Context, before, after []byte) error {
	return c.find(ctx, before, after, scriptHarms)
}

// frameworkGlobals are what a runner gives to tests, and what tests rely on.
const frameworkGlobals = `expect|test|it|describe|suite|before|after|beforeEach|afterEach|beforeAll|afterAll|jest|vi|vitest|assert|should|chai|cy|Cypress|Date|Math|Promise|Error|process`

var (
	globalObject = `(?:global|globalThis|window|self)`
	setsGlobal   = regexp.MustCompile(`^\(? ?(?:\( )?` + globalObject + `(?: as [\w. <>,]+ \))?(?: \))? (?:\. (?:` + frameworkGlobals + `)\b|\[ "(?:` + frameworkGlobals + `)" \])`)
	setsOther    = regexp.MustCompile(`^(?:expect|test|it|describe|jest|vi|assert|chai|Date|Math|process|Cypress)\b(?: \. \w+)*$|\. prototype \. \w+$|\. (?:exitCode|exit|__proto__)$|^(?:this|ctx|test|t)(?: \. (?:currentTest|test|ctx))* \. (?:state|err|pending|_retries|duration)$`)
	defines      = regexp.MustCompile(`^(?:Object|Reflect) \. (?:defineProperty|defineProperties|assign|set|setPrototypeOf) \( (?:\( )?(?:` + globalObject + `|expect|assert|jest|vi|chai)\b`)
	builtins     = regexp.MustCompile(`\b(?:toBe|toEqual|toStrictEqual|toMatch|toThrow|toContain|toBeTruthy|toBeCloseTo|toMatchSnapshot|toHaveBeenCalled\w*|toBeNull|toBeDefined|toHaveLength|toMatchObject)\b`)
	overwrites   = regexp.MustCompile(`\b(?:Assertion|chai|utils) \. (?:overwriteMethod|overwriteProperty|overwriteChainableMethod)|\baddMethod \( "(?:equal|eql|equals|include|throw|match)"`)
	mocksLocal   = regexp.MustCompile(`^(?:jest|vi|vitest) \. (?:mock|doMock|setMock|unstable_mockModule|enableAutomock) \( ?"?(?:\.|@/|~/|src/)?`)
	spies        = regexp.MustCompile(`^(?:jest|vi|sinon) \. (?:spyOn|stub|replace|fn) \( (?:console|process)\b`)
)

// scriptHarms finds what a setup file of a JavaScript runner does to the
// framework and to the modules under test.
func scriptHarms(tree *syntax.Tree) []harm {
	var out []harm
	for n := range tree.All("assignment_expression", "augmented_assignment_expression", "call_expression") {
		if h := scriptHarm(n); h.text != "" {
			h.line, h.key = statementLine(n), canon(n)
			out = append(out, h)
		}
	}
	return append(out, matchers(tree)...)
}

// matchers finds objects that define a matcher of the framework anew.
func matchers(tree *syntax.Tree) []harm {
	var out []harm
	for n := range tree.All("pair", "method_definition") {
		key, v := n.Field("key"), unwrap(n.Field("value"))
		if n.Is("method_definition") {
			key, v = n.Field("name"), n
		}
		if builtins.MatchString(key.Text()) && v.Is("arrow_function", "function_expression", "method_definition") {
			out = append(out, harm{violation.ConftestHook, n.StartLine(), canon(n), "An assertion of the framework is replaced: " + cut(oneLine(n.Text()))})
		}
	}
	return out
}

func scriptHarm(n syntax.Node) harm {
	text := canon(n)
	shown := cut(oneLine(n.Text()))
	if n.Is("assignment_expression", "augmented_assignment_expression") {
		left := canon(n.Field("left"))
		if setsGlobal.MatchString(left) || setsOther.MatchString(left) && !strings.HasPrefix(left, "process . env") {
			return harm{kind: violation.ConftestHook, text: "The test framework is changed for all tests: " + shown}
		}
		return harm{}
	}
	f := canon(n.Field("function"))
	switch {
	case defines.MatchString(text) && !strings.Contains(text, "matchMedia"):
		if strings.Contains(text, globalObjectOf(text)) && !regexp.MustCompile(`"(?:`+frameworkGlobals+`)"|expect|assert`).MatchString(text) {
			return harm{}
		}
		return harm{kind: violation.ConftestHook, text: "The test framework is changed for all tests: " + shown}
	case f == "expect . extend" && builtins.MatchString(ownKeys(n)), overwrites.MatchString(text):
		return harm{kind: violation.ConftestHook, text: "An assertion of the framework is replaced: " + shown}
	case strings.HasSuffix(f, ". retryTimes"):
		return harm{kind: violation.RetriesAdded, text: "Failing tests are run again: " + shown}
	case mocksLocal.MatchString(text) && localMock(n):
		return harm{kind: violation.MockOfSUT, text: "A module of the project is replaced for all tests: " + shown}
	case strings.HasSuffix(f, ". spyOn") && !spies.MatchString(text) && strings.Contains(outerText(n), ". mock"):
		return harm{kind: violation.ConftestHook, text: "Something is replaced for all tests: " + shown}
	case f == "process . exit" && !failingExit(text), f == "process . abort":
		return harm{kind: violation.ConftestHook, text: "The process ends without the result of the tests: " + shown}
	case strings.HasSuffix(f, ". skip") && (strings.HasPrefix(f, "this") || strings.Contains(f, "currentTest")):
		return harm{kind: violation.ConftestHook, text: "Tests are skipped for all: " + shown}
	default:
		return harm{}
	}
}

func globalObjectOf(text string) string {
	for _, o := range []string{"globalThis", "global", "window", "self"} {
		if strings.Contains(text, "( "+o+" ") || strings.Contains(text, "( "+o+",") {
			return o
		}
	}
	return "\x00"
}

// ownKeys are the names that an object literal in the arguments defines.
func ownKeys(call syntax.Node) string {
	var keys []string
	for _, arg := range call.Field("arguments").Named() {
		for _, m := range unwrap(arg).Named() {
			k := m.Field("key")
			if k.IsZero() {
				k = m.Field("name")
			}
			keys = append(keys, k.Text())
		}
	}
	return strings.Join(keys, " ")
}

// localMock reports whether the mocked module is one of the project.
func localMock(call syntax.Node) bool {
	args := call.Field("arguments").Named()
	if len(args) == 0 {
		return strings.Contains(call.Text(), "enableAutomock")
	}
	spec := strings.Trim(args[0].Text(), "\"'`")
	return strings.HasPrefix(spec, ".") || strings.HasPrefix(spec, "@/") || strings.HasPrefix(spec, "~/") || strings.HasPrefix(spec, "src/")
}

// outerText is the whole chain of calls that a call begins.
func outerText(n syntax.Node) string {
	for p := n.Parent(); p.Is("member_expression", "call_expression"); p = p.Parent() {
		n = p
	}
	return canon(n)
}

func failingExit(text string) bool {
	arg := strings.TrimSuffix(strings.TrimPrefix(text, "process . exit ( "), " )")
	return failing(arg)
}

// statementLine is the line on which the statement around a node begins.
func statementLine(n syntax.Node) int {
	for p := n.Parent(); !p.IsZero(); p = p.Parent() {
		if p.Is("expression_statement") {
			return p.StartLine()
		}
		if p.Is("statement_block", "program", "arrow_function") {
			break
		}
	}
	return n.StartLine()
}
