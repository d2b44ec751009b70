package rules

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

// danger is an expression that a value from outside must not reach.
type danger struct {
	languages []syntax.Language
	// call matches what is called or assigned to, as written; the value is then
	// the first argument or the right side. nil: the expression as a whole.
	call *lazyregexp.Regexp
	// text matches the beginning of a string that is put together.
	text *lazyregexp.Regexp
	// with must match somewhere in the call; pasted: only a string that is put
	// together counts, not a lone name.
	with     *lazyregexp.Regexp
	pasted   bool
	severity workflow.Severity // "" = the rule's
	title    string
}

var dynamicCode = []danger{
	{languages: in(syntax.Python), call: lazyregexp.New(`^(?:builtins\.)?(?:eval|exec)$`)},
	{languages: scripts(), call: lazyregexp.New(`^(?:(?:window|globalThis|global)\.)?(?:eval|newFunction|Function|execScript)$` +
		`|^vm\.runIn\w+$`)},
	{languages: in(syntax.Ruby), call: lazyregexp.New(`^(?:\w+\.)?(?:eval|instance_eval|class_eval|module_eval)$`)},
	{languages: in(syntax.Java), call: lazyregexp.New(`^\w*[eE]ngine\.eval$`)},
	{languages: in(syntax.CSharp), call: lazyregexp.New(`^CSharpScript\.\w+$`)},
	// loaders that build any object
	{
		languages: in(syntax.Python), call: lazyregexp.New(`^(?:c?[pP]ickle|marshal|dill)\.loads?$|^yaml\.(?:unsafe_)?load$`),
		severity: milder,
	},
	{languages: in(syntax.Ruby), call: lazyregexp.New(`^Marshal\.load$`), severity: milder},
	{languages: in(syntax.Java), call: lazyregexp.New(`^newObjectInputStream$`), severity: milder},
	{languages: in(syntax.CSharp), call: lazyregexp.New(`^newBinaryFormatter$`), severity: milder},
}

var shell = []danger{
	{languages: in(syntax.Python), call: lazyregexp.New(`^os\.(?:system|popen)$|^subprocess\.get(?:status)?output$`)},
	{
		languages: in(syntax.Python), call: lazyregexp.New(`^(?:subprocess\.)?(?:run|call|check_call|check_output|Popen)$`),
		with: lazyregexp.New(`\bshell\s*=\s*True\b`),
	},
	{languages: scripts(), call: lazyregexp.New(`^(?:(?:cp|child_?[pP]rocess|shell|shelljs)\.)?exec(?:Sync)?$`), pasted: true},
	{
		languages: scripts(), call: lazyregexp.New(`^(?:\w+\.)?(?:spawn|execFile)(?:Sync)?$`),
		with: lazyregexp.New(`\bshell:\s*true\b`),
	},
	{
		languages: in(syntax.Go), call: lazyregexp.New(`^exec\.Command(?:Context)?$`),
		with: lazyregexp.New(`"(?:/bin/)?(?:ba|z|da)?sh",\s*"-l?c"`),
	},
	{languages: in(syntax.Ruby), call: lazyregexp.New(`^(?:Kernel\.)?(?:system|exec|spawn)$`), pasted: true},
	{languages: in(syntax.Java), call: lazyregexp.New(`\.exec$`), pasted: true},
}

var unsafeHTML = []danger{
	{languages: scripts(), call: lazyregexp.New(`\.(?:inner|outer)HTML$|^(?:\w+\.)?document\.write(?:ln)?$|\.insertAdjacentHTML$` +
		`|^dangerouslySetInnerHTML$`)},
	{languages: in(syntax.Ruby), call: lazyregexp.New(`\.html_safe$|^raw$`)},
	{languages: in(syntax.Python), call: lazyregexp.New(`^(?:\w+\.)?(?:mark_safe|Markup)$`)},
	{languages: in(syntax.Go), call: lazyregexp.New(`^template\.(?:HTML|JS)$`)},
}

var sqlText = []danger{{
	// in capitals, or with more of the language than a sentence has
	text: lazyregexp.New(`(?s)^(?:SELECT\s.*?\sFROM\s|INSERT\s+INTO\s|UPDATE\s+\S+\s+SET\s|DELETE\s+FROM\s|DROP\s+TABLE\s)|` +
		`(?is)^(?:select\s+\*\s+from\s|select\s.*?\sfrom\s.*\swhere\s|insert\s+into\s+\S+.*\svalues\b|update\s+\S+\s+set\s+\S+\s*=` +
		`|delete\s+from\s+\S+\s+where\s)`), title: "An SQL statement is put together from strings",
}}

// harmlessValue names what is no text from outside, and made is what has made
// it safe: a value with such a name gets the milder severity or passes.
var (
	harmlessValue = lazyregexp.New(`(?i)^(?:placeholders?|columns?|cols|fields?|fieldnames?|\w*tables?|\w*table_?names?|schemas?` +
		`|opts|options|config|cfg|meta|model|this|cls|quoted?\w*|where|clauses?|conditions?|order_?by|direction|limit|offset|i|n|len` +
		`|length|join|map|int|number|range|str|keys?|idx|index|count|params?|set_?clauses?|updates?|assignments?|\w*(?:conditions?` +
		`|clauses?|placeholders?|columns?))$`)
	placeholderName = lazyregexp.New(`(?i)^(?:placeholders?|set_?clauses?|updates?|assignments?|join)$`)
	made            = lazyregexp.New(`(?i)sanitiz|sanitis|purify|escape|encode|quote|replace\(/\[\^|literal_eval|safe_?load` +
		`|SafeLoader|toString\(\)|compile\(`)
	constantName = lazyregexp.New(`^[A-Z][A-Z0-9_]*$`)
)

// inDanger makes a rule of expressions: one issue for each on a line that the
// change adds whose value is no literal.
func inDanger(files func(*subject) []*source, wrong string, kinds []danger) func(*subject) []workflow.Issue {
	return func(s *subject) []workflow.Issue {
		var out []workflow.Issue
		for _, f := range files(s) {
			if f.tree == nil {
				continue
			}
			f.tree.Root().Walk(func(n syntax.Node) bool {
				for _, d := range kinds {
					if d.languages != nil && !f.is(d.languages...) || !f.added(n.StartLine()) {
						continue
					}
					if f.minified && (d.text != nil || wrong == htmlTitle) && len(f.lines[n.StartLine()-1]) > longLine {
						continue // told by artifact/unreadable
					}
					if title, severity := d.judge(f, n, wrong); title != "" {
						out = append(out, workflow.Issue{
							File: f.path, Line: n.StartLine(), EndLine: n.EndLine(), Title: title,
							Severity: severity,
						})
						return false
					}
				}
				return true
			})
		}
		return out
	}
}

// judge says what is wrong with an expression, "" if nothing is.
func (d danger) judge(f *source, n syntax.Node, wrong string) (string, workflow.Severity) {
	if d.text != nil {
		return d.judgeText(f, n)
	}
	callee, values := calledWith(n)
	if callee == "" || !d.call.MatchString(callee) {
		return "", ""
	}
	text := n.Text()
	if receiver := n.Field("receiver"); len(values) == 0 && receiver.IsNamed() { // Ruby's text.html_safe
		values = []syntax.Node{receiver}
	}
	if len(text) > maxLine || made.MatchString(text) || d.with != nil && !d.with.MatchString(text) {
		return "", ""
	}
	for _, v := range values {
		if d.severity == milder && f.opens(v) || wrong == shellTitle && (f.command || f.isProgram() || !outside.MatchString(v.Text())) {
			continue
		}
		if !constant(v) && !f.ownText(v, wrong == htmlTitle) && !v.Is("keyword_argument") && (!d.pasted || v.Is(composite()...)) {
			severity := d.severity
			if strings.Contains(text, "JSON.stringify") {
				severity = milder
			}
			return wrong + ": " + cutLine(text, 50), severity
		}
	}
	return "", ""
}

// opens reports whether a value is a file that the code opened itself.
func (f *source) opens(v syntax.Node) bool {
	return v.Is("identifier") && slices.ContainsFunc(f.lines[max(0, v.StartLine()-6):v.StartLine()], func(l string) bool {
		return strings.Contains(l, "open(") && (strings.Contains(l, " as "+v.Text()+":") || strings.HasPrefix(strings.TrimSpace(l),
			v.Text()+" = "))
	})
}

const shellTitle = "A command line is built for a shell"

// outside matches the names of what comes from outside of the program.
var outside = lazyregexp.New(`(?i)\b(?:req|request|query|params|body|argv|input|form|payload|event|message|msg|headers|cookies` +
	`|user_?(?:input|name))\b`)

const htmlTitle = "Text is put into a page as HTML"

// calledWith is what a node calls or assigns to, and the values that it gets.
func calledWith(n syntax.Node) (callee string, values []syntax.Node) {
	switch {
	case syntax.IsCall(n):
		return blanks.ReplaceAllString(syntax.Callee(n), ""), syntax.Arguments(n)
	case n.Is("assignment_expression", "augmented_assignment_expression"):
		return blanks.ReplaceAllString(n.Field("left").Text(), ""), []syntax.Node{n.Field("right")}
	case n.Is("jsx_attribute") && len(n.Named()) > 1:
		return n.Named()[0].Text(), n.Named()[1:]
	default:
		return "", nil
	}
}

// constant reports whether an expression is made of literals and names of
// constants alone.
func constant(n syntax.Node) bool {
	fixed := true
	n.Walk(func(k syntax.Node) bool {
		switch {
		case syntax.IsCall(k), k.Is("self", "this", "instance_variable", "shorthand_property_identifier"):
			fixed = false
		case k.Is("identifier", "property_identifier", "field_identifier") && !constantName.MatchString(k.Text()) && k.Text() != "__html":
			fixed = false
		}
		return fixed
	})
	return fixed
}

// composite are the kinds of expressions that put strings together.
func composite() []string {
	return []string{"binary_expression", "binary_operator", "binary", "template_string", "string", "interpolated_string_expression"}
}

// formats matches callees that fill a string in.
var formats = lazyregexp.New(`^(?:fmt\.)?(?:Sprintf|Fprintf)$|^String\.(?:format|Format)$|^(?:string\.Format)$|^format!$|\.format$` +
	`|^format$`)

var (
	stringPrefix = lazyregexp.New("^(?:[a-zA-Z]{0,3}|\\$@?|@\\$?|%[qQwW]?)#{0,3}(?:\"\"\"|'''|[\"'`({\\[])\\s*")
	numbers      = lazyregexp.New(`%[0-9]*d`)
	holes        = lazyregexp.New(`%[sdvq]|\{[^}]*\}`)
)

// judgeText says whether a statement is pasted together of text and values.
func (d danger) judgeText(f *source, n syntax.Node) (string, workflow.Severity) {
	if n.Is("template_string") && n.Parent().Is("call_expression") && n.Parent().Field("function").Text() != "String.raw" {
		return "", "" // a tag gets the values apart from the text: sql`…`
	}
	if !n.Is(composite()...) && !syntax.IsCall(n) || !n.IsNamed() || n.EndByte()-n.StartByte() > maxLine {
		return "", ""
	}
	text := n.Text()
	first := n
	switch {
	case n.Is("binary_expression", "binary_operator", "binary"):
		for first.Is("binary_expression", "binary_operator", "binary") {
			first = first.Field("left")
		}
		if op := n.Field("operator").Text(); op != "+" && op != "%" && op != "" {
			return "", ""
		}
	case syntax.IsCall(n):
		callee, args := calledWith(n)
		switch {
		case !formats.MatchString(callee):
			return "", ""
		case strings.HasSuffix(callee, ".format") && stringPrefix.MatchString(callee):
			text = n.Text()
		case len(args) > 0:
			first = args[0]
		}
		if !holes.MatchString(numbers.ReplaceAllString(first.Text(), "")) {
			return "", ""
		}
	}
	begin := first.Text()
	prefix := stringPrefix.FindString(begin)
	if prefix == "" || !d.text.MatchString(strings.TrimSpace(begin[len(prefix):])+" ") || constant(n) && !n.Is("macro_invocation") ||
		made.MatchString(text) {
		return "", ""
	}
	if severity := severityOf(n, placeholderName); severity == milder || f.ownText(n, false) {
		return "", "" // only placeholders and columns, which the values are bound to
	}
	severity := severityOf(n, harmlessValue)
	if severity == milder && !asValue.MatchString(text) {
		return "", "" // names of tables and columns, which no placeholder can stand for
	}
	return d.title, severity
}

// asValue matches what is pasted in where a statement has a value.
var asValue = lazyregexp.New(`(?i)(?:[=<>'"]|\b(?:like|limit|offset))\s*(?:\$\{|#\{|\{|%[sdvq]|["']\s*\+)`)

// ofTable matches what a table says of itself.
var ofTable = lazyregexp.New(`(?i)^(?:\w+\.)?\w*(?:tables?|columns?)\.\w+$`)

// fragment matches what is called a part of a statement, and a call that makes one.
var fragment = lazyregexp.New(`^(?:[a-z]\w*(?:Query|SQL|Sql|Clause|Filter|Condition)s?|[a-z]\w*_(?:query|sql|clause|filter` +
	`|condition)s?)(?:\(.*\))?$`)

// severityOf is the milder one where all that is pasted in has the name of a
// part of the statement: a table, columns, placeholders.
func severityOf(n syntax.Node, harmless *lazyregexp.Regexp) workflow.Severity {
	severity := milder
	n.Walk(func(k syntax.Node) bool {
		if k.Is("member_expression", "attribute") && ofTable.MatchString(k.Text()) || fragment.MatchString(firstLine(k.Text())) {
			return false
		}
		if k.Is("identifier", "property_identifier", "field_identifier", "instance_variable") && len(k.Named()) == 0 {
			name := k.Text()
			if name != "fmt" && name != "Sprintf" && name != "format" && name != "self" && name != "String" &&
				!harmless.MatchString(name) && !constantName.MatchString(name) {
				severity = ""
			}
		}
		return severity == milder
	})
	return severity
}
