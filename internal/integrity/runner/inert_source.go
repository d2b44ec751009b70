package runner

import (
	"regexp"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/syntax"
)

// The closed lists of what may be added to a source that a runner loads by
// itself: imports of names, constants, helpers, and fixtures and matchers whose
// names no approved file contains.

var (
	fixtureMark  = regexp.MustCompile(`^@ (?:pytest|pytest_asyncio) \. fixture(?: \(.*\))?$|^@ (?:contextlib \. )?(?:async)?contextmanager$|^@ (?:functools \. )?(?:lru_cache|cache)(?: \( .* \))?$|^@ (?:staticmethod|classmethod|property)$`)
	fixtureName  = regexp.MustCompile(`\bname = "([^"]*)"`)
	pythonCalls  = regexp.MustCompile(`^(?:django \. setup \( \)|matplotlib \. use \( "[Aa]gg" \)|nest_asyncio \. apply \( \)|(?:dotenv \. )?load_dotenv \( \)|logging \. basicConfig \( [^()]* \))$`)
	pythonHooks  = map[string]*regexp.Regexp{"pytest_report_header": regexp.MustCompile(`^return (?:f ?)?["'][^()]*$`), "pytest_sessionstart": onlyPrints, "pytest_sessionfinish": onlyPrints, "pytest_unconfigure": onlyPrints, "pytest_addoption": regexp.MustCompile(`^(?:group|parser)(?: = parser)? \. (?:addoption|getgroup) \(`), "pytest_configure": regexp.MustCompile(`^config \. addinivalue_line \( "markers" ,`)}
	onlyPrints   = regexp.MustCompile(`^print \( (?:(?:f ?)?"[^()]*" )?\)$`)
	polyfill     = `(?:TextEncoder|TextDecoder|fetch|Request|Response|Headers|FormData|ResizeObserver|IntersectionObserver|structuredClone|crypto|matchMedia|BroadcastChannel|ReadableStream)`
	scriptCalls  = regexp.MustCompile(`^(?:afterEach|afterAll|beforeEach) \( (?:\( \) => )?\{? ?(?:(?:cleanup|(?:jest|vi) \. (?:clearAllMocks|restoreAllMocks|useRealTimers)|server \. resetHandlers|(?:jest|vi) \. spyOn \( console , "\w+" \) \. mockImplementation \( \( \) => \{ \} \))(?: \( \))? ?)+\}? ?\)$`)
	globalObject = `(?:global|globalThis|window|self)`
	polyfilled   = regexp.MustCompile(`^` + globalObject + ` \. ` + polyfill + ` = ` + polyfill + `(?: as .*)?$|^Object \. (?:defineProperty|assign) \( ` + globalObject + ` , (?:"` + polyfill + `"|\{ (?:` + polyfill + `(?: ,)? )+\})`)
	ownMatchers  = regexp.MustCompile(`^expect \. extend \( \{`)
	goBuiltins   = regexp.MustCompile(`^(?:append|cap|clear|close|complex|copy|delete|imag|len|make|max|min|new|panic|print|println|real|recover|any|bool|byte|error|string|u?int\d*|float\d+|rune|true|false|nil|iota)$`)
	goEffects    = regexp.MustCompile(`\bfunc \(|\bos \. (?:Exit|Args|Setenv)|\bsyscall \.|\breflect \.|\bunsafe \.|\bflag \. Set|\btesting \. \w+ =`)
)

func (c *comparison) inertPython(n syntax.Node) bool {
	switch {
	case n.Is("import_statement", "import_from_statement", "future_import_statement"):
		return !n.Has("wildcard_import")
	case n.Is("pass_statement"), n.Is("expression_statement") && n.FirstChild().Is("string"):
		return true
	case n.Is("if_statement", "try_statement"):
		for block := range n.All("block") {
			if slices.ContainsFunc(block.Named(), func(s syntax.Node) bool { return !s.IsComment() && !c.inertPython(s) }) {
				return false
			}
		}
		return n.Is("try_statement") || !n.Field("condition").Has("call")
	case n.Is("decorated_definition"):
		for d := range n.Children() {
			text := canon(d)
			if d.Is("decorator") && (!fixtureMark.MatchString(text) || strings.Contains(text, "autouse")) {
				return false
			}
			if m := fixtureName.FindStringSubmatch(text); m != nil && !c.unused(m[1]) {
				return false
			}
		}
		return c.unused(n.Field("definition").Field("name").Text()) && c.inertPython(n.Field("definition"))
	case n.Is("function_definition"):
		return c.inertFunction(n)
	case n.Is("class_definition"):
		plain := !strings.Contains(canon(n.Field("superclasses")), "=")
		return plain && !slices.ContainsFunc(n.Field("body").Named(), func(s syntax.Node) bool { return !s.IsComment() && !s.Is("if_statement") && !c.inertMember(s) })
	case n.Is("expression_statement"):
		e := n.FirstChild()
		switch {
		case e.Is("call"):
			return pythonCalls.MatchString(canon(e))
		case !e.Is("assignment") || !e.Field("left").Is("identifier"):
			return false
		}
		name := e.Field("left").Text()
		if name == "collect_ignore" {
			return !slices.ContainsFunc(e.Field("right").Named(), func(s syntax.Node) bool { return !isForeign(stringText(s)) && stringText(s) != "setup.py" })
		}
		return !strings.HasPrefix(name, "pytest") && !strings.HasPrefix(name, "collect_ignore") && !strings.HasPrefix(name, "__") && literalNode(e.Field("right"))
	}
	return false
}

// inertMember is inertPython for what a class holds.
func (c *comparison) inertMember(n syntax.Node) bool {
	name := n.Field("name").Text()
	if n.Is("function_definition") && strings.HasPrefix(name, "__") {
		return name != "__init_subclass__" && name != "__class_getitem__"
	}
	if n.Is("decorated_definition") {
		return !slices.ContainsFunc(n.Named(), func(d syntax.Node) bool { return d.Is("decorator") && !fixtureMark.MatchString(canon(d)) })
	}
	return c.inertPython(n)
}

// inertFunction accepts a function that no runner calls by itself, or a hook
// whose statements are on its list.
func (c *comparison) inertFunction(n syntax.Node) bool {
	name := n.Field("name").Text()
	if hook := pythonHooks[name]; hook != nil {
		return !slices.ContainsFunc(n.Field("body").Named(), func(s syntax.Node) bool {
			return !s.IsComment() && !hook.MatchString(canon(s)) && !(s.Is("expression_statement") && s.FirstChild().Is("string"))
		})
	}
	return !strings.HasPrefix(name, "pytest_") && !slices.Contains([]string{"load_tests", "setUpModule", "tearDownModule", "setup_module", "teardown_module", "setup_function", "teardown_function"}, name) &&
		!strings.HasPrefix(name, "__") && !n.Field("parameters").Has("call")
}

// literalNode reports whether an expression is made of literals.
func literalNode(n syntax.Node) bool {
	for e := range n.All("call", "call_expression", "identifier", "lambda", "attribute", "await", "list_comprehension", "generator_expression", "new_expression", "member_expression", "template_substitution", "interpolation") {
		if !e.IsZero() {
			return false
		}
	}
	return true
}

func (c *comparison) inertScript(n syntax.Node) bool {
	text := canon(n)
	switch {
	case n.Is("import_statement"):
		from := stringText(n.Field("source"))
		return !n.Child("import_clause").IsZero() || isKnown("setup", "", value{text: from})
	case n.Is("function_declaration", "type_alias_declaration", "interface_declaration", "empty_statement"):
		return true
	case n.Is("lexical_declaration", "variable_declaration"):
		return imports(n) || !slices.ContainsFunc(n.Named(), func(d syntax.Node) bool {
			v := unwrap(d.Field("value"))
			return !d.Field("name").Is("identifier") || !v.Is("arrow_function", "function_expression") && !literalNode(v)
		})
	case n.Is("expression_statement"):
		if ownMatchers.MatchString(text) {
			return c.ownMatchers(n)
		}
		return polyfilled.MatchString(strings.TrimSuffix(text, " ;")) || scriptCalls.MatchString(strings.TrimSuffix(text, " ;")) || strings.HasPrefix(text, `"use `)
	}
	return false
}

// ownMatchers accepts expect.extend with matchers of names that no approved
// file contains.
func (c *comparison) ownMatchers(n syntax.Node) bool {
	for _, arg := range n.FirstChild().Field("arguments").Named() {
		for _, m := range unwrap(arg).Named() {
			name := m.Field("key")
			if name.IsZero() {
				name = m.Field("name")
			}
			if m.Is("spread_element") || name.IsZero() || !c.unused(name.Text()) || builtinMatcher.MatchString(name.Text()) {
				return false
			}
		}
	}
	return true
}

func (c *comparison) inertGo(n syntax.Node) bool {
	text := canon(n)
	switch {
	case n.Is("package_clause", "import_declaration", "const_declaration"):
		return !strings.Contains(text, ". \"") && !strings.Contains(text, `_ "`)
	case n.Is("type_declaration"):
		return !slices.ContainsFunc(n.Named(), func(s syntax.Node) bool { return goBuiltins.MatchString(s.Field("name").Text()) })
	case n.Is("var_declaration"):
		for s := range n.All("var_spec") {
			if goBuiltins.MatchString(s.Field("name").Text()) {
				return false
			}
		}
		return !goEffects.MatchString(text)
	case n.Is("method_declaration"):
		receiver := n.Field("receiver").Text()
		for s := range n.Up("source_file").All("type_spec") {
			if strings.Contains(receiver, s.Field("name").Text()) {
				return len(goExits(n)) == 0
			}
		}
		return false
	case n.Is("function_declaration"):
		name := n.Field("name").Text()
		return name != "init" && !goBuiltins.MatchString(name) && len(goExits(n)) == 0 || name == "init" && !goEffects.MatchString(text) && !strings.Contains(text, ". ")
	}
	return false
}

// goExits are what ends the process with another status than the result of the
// tests, or selects tests, in a function. A TestMain must run them.
func goExits(fn syntax.Node) []finding {
	var out []finding
	add := func(n syntax.Node, text string) {
		out = append(out, finding{violation.ConftestHook, 0, n.StartLine(), text + ": " + cut(n.Text())})
	}
	isMain := fn.Field("name").Text() == "TestMain"
	m := "m"
	if p := fn.Field("parameters").Child("parameter_declaration").Child("identifier"); !p.IsZero() {
		m = p.Text()
	}
	run := m + " . Run ( )"
	results := map[string]bool{run: isMain}
	ran := false
	for n := range fn.All("short_var_declaration", "assignment_statement", "var_spec") {
		left, right := canon(n.Field("left"))+canon(n.Field("name")), canon(n.Field("right"))+canon(n.Field("value"))
		switch {
		case right == run:
			results[left] = isMain
		case results[left]:
			add(n, "The result of the tests is replaced")
		case strings.HasPrefix(left, "os . Args"), strings.HasPrefix(left, "testing . "):
			add(n, "Tests are selected by the test package itself")
		}
	}
	for n := range fn.All("call_expression") {
		text := canon(n)
		ran = ran || text == run
		switch f := canon(n.Field("function")); {
		case f == "os . Exit", f == "syscall . Exit":
			status := strings.TrimSuffix(strings.TrimPrefix(canon(n.Field("arguments")), "( "), " )")
			if number, ok := numberOf(status); !results[status] && !(ok && number > 0) && !(isMain && strings.Contains(" "+status+" ", " "+m+" ")) {
				add(n, "The process ends without the result of the tests")
			}
		case f == "flag . Set" && strings.Contains(text, `"test.`):
			add(n, "Tests are selected by the test package itself")
		case f == "recover" && isMain:
			add(n, "A failure is caught around the tests")
		}
		for _, a := range n.Field("arguments").Named() {
			ran = ran || a.Text() == m // goleak.VerifyTestMain(m)
		}
	}
	if isMain && !ran {
		add(fn, "No test runs: TestMain does not call m.Run")
	}
	return out
}
