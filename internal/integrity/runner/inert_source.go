package runner

import (
	"regexp"
	"slices"
	"strings"

	"workflow-reviewer/internal/syntax"
)

// The closed lists of what may be added to a source that a runner loads by
// itself: imports of names, constants, helpers, and fixtures and matchers whose
// names no approved file contains. Nothing of it runs when the file is loaded.

var (
	fixtureMark = regexp.MustCompile(`^@ (?:pytest|pytest_asyncio) \. fixture(?: \(.*\))?$|^@ (?:contextlib \. )?(?:async)?contextmanager$|^@ (?:functools \. )?(?:lru_cache|cache)(?: \( .* \))?$|^@ (?:staticmethod|classmethod|property)$`)
	fixtureName = regexp.MustCompile(`\bname = "([^"]*)"`)
	pythonCalls = regexp.MustCompile(`^(?:django \. setup \( \)|matplotlib \. use \( "[Aa]gg" \)|nest_asyncio \. apply \( \)|(?:dotenv \. )?load_dotenv \( \)|logging \. basicConfig \( [^()]* \))$`)
	// pythonNames are those that a runner looks for.
	pythonNames = regexp.MustCompile(`^(?:pytest_.*|pytestmark|collect_ignore.*|__.*|load_tests|(?:setUp|tearDown)Module|(?:setup|teardown)_(?:module|function))$`)
	// pythonHooks are hooks with what each of their statements may be.
	pythonHooks = map[string]*regexp.Regexp{
		"pytest_report_header": regexp.MustCompile(`^return (?:f ?)?["'][^()]*$`), "pytest_sessionstart": onlyPrints, "pytest_sessionfinish": onlyPrints, "pytest_unconfigure": onlyPrints,
		"pytest_addoption": regexp.MustCompile(`^(?:group|parser)(?: = parser)? \. (?:addoption|getgroup) \(`), "pytest_configure": regexp.MustCompile(`^config \. addinivalue_line \( "markers" ,`),
	}
	onlyPrints   = regexp.MustCompile(`^print \( (?:(?:f ?)?"[^()]*" )?\)$`)
	polyfill     = `(?:TextEncoder|TextDecoder|fetch|Request|Response|Headers|FormData|ResizeObserver|IntersectionObserver|structuredClone|crypto|matchMedia|BroadcastChannel|ReadableStream)`
	scriptCalls  = regexp.MustCompile(`^(?:afterEach|afterAll|beforeEach) \( (?:\( \) => )?\{? ?(?:(?:cleanup|(?:jest|vi) \. (?:clearAllMocks|restoreAllMocks|useRealTimers)|server \. resetHandlers|(?:jest|vi) \. spyOn \( console , "\w+" \) \. mockImplementation \( \( \) => \{ \} \))(?: \( \))? ?)+\}? ?\)$`)
	globalObject = `(?:global|globalThis|window|self)`
	polyfilled   = regexp.MustCompile(`^` + globalObject + ` \. ` + polyfill + ` = ` + polyfill + `(?: as [\w. ]+)?$|^Object \. (?:defineProperty \( ` + globalObject + ` , "` + polyfill + `" , .*|assign \( ` + globalObject + ` , \{ (?:` + polyfill + `(?: ,)? )+\} \))$`)
	ownMatchers  = regexp.MustCompile(`^expect \. extend \( \{`)
)

// executes reports whether a call is made when a definition is read: in a
// decorator, a base, a default, an annotation, a condition.
func executes(n syntax.Node) bool {
	found := false
	n.Walk(func(m syntax.Node) bool {
		body := m.Parent().Is("function_definition") && m.Is("block") || m.Parent().Is("lambda") && !m.Is("lambda_parameters")
		found = found || m.Is("call", "await") && !pythonCalls.MatchString(canon(m))
		return !body
	})
	return found
}

// anyNot reports whether a statement, comments aside, is not as it should be.
func anyNot(list []syntax.Node, is func(syntax.Node) bool) bool {
	return slices.ContainsFunc(list, func(s syntax.Node) bool { return !s.IsComment() && !is(s) })
}

func (c *comparison) inertPython(n syntax.Node) bool {
	switch {
	case n.Is("import_statement", "import_from_statement", "future_import_statement"):
		return !n.Has("wildcard_import") && !bindsHook(n)
	case n.Is("pass_statement"), n.Is("expression_statement") && n.FirstChild().Is("string"):
		return true
	case n.Is("if_statement", "try_statement"):
		return c.inertBlocks(n) && !executes(n)
	case n.Is("decorated_definition"):
		for _, d := range n.Named() {
			text := canon(d)
			if d.Is("decorator") && (!fixtureMark.MatchString(text) || strings.Contains(text, "autouse") || d.Child("call").Field("arguments").Has("call")) {
				return false
			}
			if m := fixtureName.FindStringSubmatch(text); m != nil && !c.unused(m[1]) {
				return false
			}
		}
		return c.unused(n.Field("definition").Field("name").Text()) && c.inertPython(n.Field("definition"))
	case n.Is("function_definition"):
		name := n.Field("name").Text()
		if hook := pythonHooks[name]; hook != nil {
			return !anyNot(n.Field("body").Named(), func(s syntax.Node) bool {
				return hook.MatchString(canon(s)) || s.Is("expression_statement") && s.FirstChild().Is("string")
			})
		}
		return !pythonNames.MatchString(name) && !executes(n)
	case n.Is("class_definition"):
		return !strings.Contains(canon(n.Field("superclasses")), "=") && !executes(n.Field("superclasses")) &&
			!anyNot(n.Field("body").Named(), func(s syntax.Node) bool { return s.Is("if_statement") && !executes(s) || c.inertMember(s) })
	case n.Is("expression_statement"):
		return inertExpression(n.FirstChild())
	}
	return false
}

func inertExpression(e syntax.Node) bool {
	if !e.Is("assignment") || !e.Field("left").Is("identifier") {
		return e.Is("call") && pythonCalls.MatchString(canon(e))
	}
	name := e.Field("left").Text()
	if name == "collect_ignore" {
		return !anyNot(e.Field("right").Named(), func(s syntax.Node) bool { return isForeign(stringText(s)) || stringText(s) == "setup.py" })
	}
	return !pythonNames.MatchString(name) && literalNode(e.Field("right")) && !executes(e)
}

// bindsHook reports whether an import binds a name that a runner looks for.
func bindsHook(n syntax.Node) bool {
	for child := range n.Children() {
		name := child.Text()
		if child.Is("aliased_import") {
			name = child.Field("alias").Text()
		} else if n.Is("import_statement") {
			continue // a module is no hook
		}
		if child.FieldName() == "name" && pythonNames.MatchString(name) {
			return true
		}
	}
	return false
}

// inertBlocks is inertPython for the branches of a statement.
func (c *comparison) inertBlocks(n syntax.Node) bool {
	return !anyNot(n.Named(), func(b syntax.Node) bool {
		switch {
		case b.Is("block"):
			return !anyNot(b.Named(), c.inertPython)
		case strings.HasSuffix(b.Kind(), "_clause"):
			return c.inertBlocks(b)
		default:
			return true // a condition
		}
	})
}

// inertMember is inertPython for what a class holds.
func (c *comparison) inertMember(n syntax.Node) bool {
	name := n.Field("name").Text()
	switch {
	case n.Is("function_definition") && strings.HasPrefix(name, "__"):
		return name != "__init_subclass__" && name != "__class_getitem__" && !executes(n)
	case n.Is("decorated_definition"):
		return !anyNot(n.Named(), func(d syntax.Node) bool {
			return !d.Is("decorator") || fixtureMark.MatchString(canon(d)) && !d.Has("call")
		})
	default:
		return c.inertPython(n)
	}
}

// literalNode reports whether an expression is made of literals.
func literalNode(n syntax.Node) bool {
	for range n.All("call", "call_expression", "identifier", "lambda", "attribute", "await", "list_comprehension", "generator_expression", "new_expression", "member_expression", "template_substitution", "interpolation") {
		return false
	}
	return true
}

func (c *comparison) inertScript(n syntax.Node) bool {
	text := strings.TrimSuffix(canon(n), " ;")
	switch {
	case n.Is("import_statement"):
		return !n.Child("import_clause").IsZero() || isKnown("setup", "", value{text: stringText(n.Field("source"))})
	case n.Is("function_declaration", "type_alias_declaration", "interface_declaration", "empty_statement"):
		return true
	case n.Is("lexical_declaration", "variable_declaration"):
		return imports(n) || !anyNot(n.Named(), func(d syntax.Node) bool {
			v := unwrap(d.Field("value"))
			return d.Field("name").Is("identifier") && (v.Is("arrow_function", "function_expression") || literalNode(v))
		})
	case !n.Is("expression_statement"):
		return false
	case ownMatchers.MatchString(text):
		return c.ownMatchers(n)
	}
	return polyfilled.MatchString(text) || scriptCalls.MatchString(text) || strings.HasPrefix(text, `"use `)
}

// ownMatchers accepts expect.extend with matchers of names that no approved
// file contains.
func (c *comparison) ownMatchers(n syntax.Node) bool {
	for _, arg := range n.FirstChild().Field("arguments").Named() {
		for _, m := range unwrap(arg).Named() {
			name := m.Field("key").Text() + m.Field("name").Text()
			if m.Is("spread_element") || name == "" || !c.unused(name) || builtinMatcher.MatchString(name) {
				return false
			}
		}
	}
	return true
}
