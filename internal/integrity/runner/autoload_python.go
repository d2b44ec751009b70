package runner

import (
	"context"
	"regexp"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/syntax"
)

func (c *comparison) conftest(ctx context.Context, before, after []byte) error {
	return c.find(ctx, before, after, pythonHarms)
}

// pythonHarms finds what a conftest.py, or any module that pytest loads before
// the tests, does to collection and outcomes.
func pythonHarms(tree *syntax.Tree) []harm {
	var out []harm
	for _, n := range tree.Root().Named() {
		out = append(out, moduleHarms(n)...)
	}
	for fn := range tree.All("function_definition") {
		name := fn.Field("name").Text()
		switch {
		case name == "load_tests":
			out = append(out, harm{violation.ConftestHook, fn.StartLine(), "load_tests " + canon(fn), "Tests are collected by a function of the project: load_tests"})
		case strings.HasPrefix(name, "pytest_"):
			out = append(out, hookHarms(name, fn)...)
		case isAutouse(fn):
			out = append(out, autouseHarms(name, fn)...)
		}
	}
	return out
}

func moduleHarms(n syntax.Node) []harm {
	line, text := n.StartLine(), canon(n)
	key := "module " + text
	if n.Is("if_statement", "try_statement", "with_statement", "for_statement") {
		var out []harm
		for block := range n.All("block") {
			for _, s := range block.Named() {
				out = append(out, moduleHarms(s)...)
			}
		}
		return out
	}
	if n.Is("raise_statement") && endsModule.MatchString(text) {
		return []harm{{violation.ConftestHook, line, key, "Tests are left out of collection: " + cut(n.Text())}}
	}
	if !n.Is("expression_statement") {
		return nil
	}
	first := n.Named()
	if len(first) == 0 {
		return nil
	}
	switch e := first[0]; {
	case e.Is("assignment", "augmented_assignment"):
		left := e.Field("left")
		switch {
		case strings.HasPrefix(text, "collect_ignore"), strings.HasPrefix(text, "pytestmark"):
			if list := e.Field("right"); list.Is("list", "tuple") && len(list.Named()) == 0 || strings.HasPrefix(text, "collect_ignore") && foreignOnly(list) {
				return nil
			}
			return []harm{{violation.ConftestHook, line, key, "Tests are left out of collection: " + cut(n.Text())}}
		case strings.HasPrefix(text, "pytest_plugins"):
			return []harm{{violation.ConftestHook, line, key, "The test runner loads a further plugin: " + cut(n.Text())}}
		case left.Is("attribute") && e.Is("assignment") && left.Text() != "sys.dont_write_bytecode":
			return []harm{{violation.ConftestHook, line, key, "Something is replaced for all tests: " + cut(left.Text())}}
		case left.Is("subscript") && strings.HasPrefix(text, "sys . modules"), strings.HasPrefix(text, `os . environ [ "PYTEST_`):
			return []harm{{violation.ConftestHook, line, key, "Something is replaced for all tests: " + cut(left.Text())}}
		}
	case e.Is("call"):
		f := e.Field("function").Text()
		switch {
		case strings.HasPrefix(f, "collect_ignore"):
			return []harm{{violation.ConftestHook, line, key, "Tests are left out of collection: " + cut(n.Text())}}
		case f == "setattr", strings.HasSuffix(f, ".start") && strings.Contains(text, "patch"), f == "sys.exit", f == "os._exit", f == "exit", f == "pytest.exit", f == "pytest.skip", f == "atexit.register":
			return []harm{{violation.ConftestHook, line, key, "Something is done to all tests when they are loaded: " + cut(n.Text())}}
		}
	}
	return nil
}

// endsModule matches a raise by which a module, and what is in its folder, is
// passed over without a failure.
var endsModule = regexp.MustCompile(`^raise (?:[\w. ]*\b(?:SkipTest|Skipped|Exit|SystemExit)\b|[\w. ]*skip \. Exception)`)

// foreignOnly reports whether a list names only what holds no tests.
func foreignOnly(list syntax.Node) bool {
	for _, e := range list.Named() {
		text := strings.Trim(e.Text(), `'"`)
		if !e.Is("string") || text != "setup.py" && !isForeign(text) {
			return false
		}
	}
	return list.Is("list", "tuple")
}

// harmlessHooks say or register something.
var harmlessHooks = map[string]bool{
	"pytest_addoption": true, "pytest_report_header": true, "pytest_terminal_summary": true, "pytest_assertrepr_compare": true,
	"pytest_make_parametrize_id": true, "pytest_addhooks": true, "pytest_markeval_namespace": true, "pytest_html_report_title": true,
}

// hookHarmful and hookHarmless match the tokens of statements in hooks.
var (
	hookHarmful = regexp.MustCompile(`^items \[|^del items|^items \. (?:clear|remove|pop|insert|append|extend)\b|^items =|pytest_deselected|\b(?:outcome|exitstatus|wasxfail|longrepr|excinfo|testsfailed) =[^=]|force_result|force_exception|` +
		`\badd_marker \(.*(?:skip|xfail)|pytest \. (?:skip|xfail|exit)\b|os \. _exit|sys \. exit|\bitem \. obj =|\bconfig \. (?:option|args|known_args_namespace)\b.* =[^=]|addinivalue_line \( "(?:addopts|filterwarnings|norecursedirs)"|\bitem \. runtest =|` +
		`^(?:builtins|pytest|unittest|time|random|_pytest)[\w. ]* =[^=]|\bsetattr \( (?:pytest|builtins|module|item \. module|sys)`)
	hookHarmless = regexp.MustCompile(`^items \[ : \] = sorted \( items\b|^items \. (?:sort|reverse)\b|^random \.|\badd_marker \(|addinivalue_line \( "markers"|^(?:print|log|logger|logging|warnings|terminalreporter|terminal|tr)\b|^yield|^outcome = yield|^\w+ = |^return$|^return None|^setattr \( item , (?:f )?"rep_|^pass$|^continue$|^import |^from |^metafunc \. parametrize|^parser \.|^"|^os \. environ|^config \. (?:_\w+|stash\b.*) =|^assert |^sys \. path \. (?:insert|append)|^django \. setup|^settings \. configure|^matplotlib \. use|^nest_asyncio `)
)

// hookHarms judges the statements of a hook. Statements of a hook that are
// neither known to be harmful nor harmless make it an autoloaded change.
func hookHarms(name string, fn syntax.Node) []harm {
	unknown := 0
	var out []harm
	if name == "pytest_pyfunc_call" || name == "pytest_runtest_call" || name == "pytest_runtest_protocol" {
		for e := range fn.All("except_clause") {
			if !e.Has("raise_statement") {
				out = append(out, harm{violation.ConftestHook, e.StartLine(), name + " " + canon(e), "A hook catches failures of tests: " + name})
			}
		}
	}
	for _, s := range leaves(fn.Field("body")) {
		text := canon(s)
		key := name + " " + text
		switch {
		case hookHarmless.MatchString(text) && !skipping(text) && !hookReplaces(name, text) && !hookSets(text):
		case hookHarmful.MatchString(text) || hookReplaces(name, text):
			out = append(out, harm{violation.ConftestHook, s.StartLine(), key, "A hook steers collection or outcomes: " + name + " does " + cut(oneLine(s.Text()))})
		case !harmlessHooks[name]:
			unknown++
		}
	}
	if len(out) > 2 {
		out = out[:2]
	}
	if len(out) == 0 && unknown > 0 {
		out = append(out, harm{violation.AutoloadedFile, fn.StartLine(), name + canon(fn), "A hook that the test runner calls may steer collection or outcomes: " + name})
	}
	return out
}

var skipMark = regexp.MustCompile(`add_marker \(.*(?:skip|xfail)`)

func skipping(text string) bool { return skipMark.MatchString(text) }

// hookSets reports whether a plain assignment is one that steers.
func hookSets(text string) bool { return strings.HasPrefix(text, "items =") }

// hookReplaces reports whether a returned value takes the place of what the
// runner would do.
func hookReplaces(name, text string) bool {
	if !strings.HasPrefix(text, "return ") || text == "return None" {
		return false
	}
	switch name {
	case "pytest_ignore_collect", "pytest_pyfunc_call", "pytest_runtest_protocol", "pytest_runtestloop", "pytest_collect_file", "pytest_pycollect_makeitem",
		"pytest_runtest_makereport", "pytest_cmdline_main", "pytest_report_teststatus", "pytest_collection", "pytest_pycollect_makemodule", "pytest_make_collect_report", "pytest_fixture_setup":
		return text != "return False"
	default:
		return false
	}
}

// leaves are the statements of a block without other statements in them, in
// the order of the source; of compound ones, also their conditions are left out.
func leaves(block syntax.Node) []syntax.Node {
	var out []syntax.Node
	block.Walk(func(n syntax.Node) bool {
		switch {
		case n.Is("expression_statement", "return_statement", "raise_statement", "delete_statement", "assert_statement", "import_statement", "import_from_statement", "pass_statement", "continue_statement", "break_statement"):
			out = append(out, n)
			return false
		default:
			return true
		}
	})
	return out
}

func isAutouse(fn syntax.Node) bool {
	d := fn.Parent()
	if !d.Is("decorated_definition") {
		return false
	}
	for dec := range d.Children() {
		if dec.Is("decorator") && strings.Contains(canon(dec), "autouse = True") {
			return true
		}
	}
	return false
}

var patches = regexp.MustCompile(`monkeypatch \. (?:setattr|setitem|delattr)|\bpatch\b|\bmocker \.|pytest \. (?:skip|xfail)|\brequest \. node \. add_marker|sys \. modules`)

func autouseHarms(name string, fn syntax.Node) []harm {
	for _, s := range leaves(fn.Field("body")) {
		if text := canon(s); patches.MatchString(text) {
			return []harm{{violation.ConftestHook, s.StartLine(), name + " " + text, "A fixture that all tests get replaces something: " + cut(oneLine(s.Text()))}}
		}
	}
	if with := fn.Field("body").Child("with_statement"); patches.MatchString(canon(with)) {
		return []harm{{violation.ConftestHook, with.StartLine(), name + canon(with), "A fixture that all tests get replaces something: " + cut(oneLine(with.Text()))}}
	}
	return []harm{{violation.AutoloadedFile, fn.StartLine(), "autouse " + name + canon(fn), "A fixture runs around all tests: " + name}}
}

// oneLine is the first line of a text.
func oneLine(s string) string {
	first, _, _ := strings.Cut(s, "\n")
	return first
}
