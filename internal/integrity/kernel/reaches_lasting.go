package kernel

import (
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// lasting looks at what a test of a new file leaves behind when it was run: what it sets and nothing of the
// file sets back, what it writes over, what it does to the runner itself.
func (r *reacher) lasting(n *Node) {
	if n.Is("attribute", "member_expression", "field_access", "scoped_identifier", "selector_expression") && r.table.exits[n.joined()] &&
		r.Callee(n.Up) != n.joined() {
		r.reach(n, "hands on what ends the process: "+n.joined())
	}
	if n.isText() && frameworkVariable.MatchString(strings.Trim(n.joined(), "\"'`")) {
		r.reach(n, "speaks to a test framework through the environment: "+n.joined())
	}
	if n.Is("scope_resolution", "attribute", "member_expression") && runnerPart.MatchString(n.joined()) {
		r.reach(n, "steers the runner itself: "+n.joined())
	}
	for _, m := range r.Marks(n) {
		if r.Lang == syntax.Rust && beforeMain.MatchString(m.joined()) {
			r.reach(m, "runs before the tests of all files: "+m.joined())
		}
	}
	if target := r.staticGiven(n); target != nil && r.runs(n) && r.once(target.joined()+"=") {
		r.reach(n, "sets for all tests and does not set back: "+target.joined())
	}
	if n.Is("type_alias_statement") && n.Any(func(k *Node) bool { return k.Is("attribute") }) { // the grammar's reading of type(x).y = z
		r.reach(n, "replaces a part of a class: "+n.Source())
	}
	call, ok := r.table.callOf(n)
	if !ok {
		return
	}
	callee := r.table.calleeOf(call)
	first := call.args
	switch {
	case runnerItself.MatchString(callee):
		r.reach(n, "steers the runner itself: "+callee)
	case r.within("steps", "step_definitions", "support") && stepHook.MatchString(callee):
		r.reach(n, "runs around the scenarios of all files: "+callee)
	case call.name == "update" && strings.HasPrefix(call.object.Source(), "vars ("):
		r.reach(n, "replaces a part of what it imports: "+call.object.joined())
	case r.Lang == syntax.Rust && sharedCell.MatchString(callee) && r.once(callee+"(") &&
		!strings.Contains(r.source(), "static "+call.object.joined()),
		hiddenVariable[call.name] && call.object.root().Is("constant", "scope_resolution") &&
			r.used(path.Base(strings.ReplaceAll(call.object.joined(), "::", "/"))) &&
			r.once(call.object.joined()+"."+call.name):
		r.reach(n, "sets for all tests and does not set back: "+n.joined())
	case len(first) > 0 && standIn.MatchString(callee) && !undoes.MatchString(r.source()) &&
		n.Ancestor(set{"resource": true}) == nil && (r.shared(first[0].root()) || first[0].Is("class_literal")):
		r.reach(n, "replaces a part and does not put it back: "+n.joined())
	case callee == "flag.Set" && len(first) > 0 && r.used(strings.Trim(first[0].joined(), "\"")):
		r.reach(n, "sets a flag of approved tests: "+n.joined())
	case starter.MatchString(callee) && rewrites.MatchString(n.Source()) && (r.ofTests(n) || gitOfTests.MatchString(n.Source())):
		r.reach(n, "writes over files of tests: "+n.joined())
	case (call.name == "set" || call.name == "SetValue") && len(first) == 2 && first[0].joined() == "null":
		r.reach(n, "sets for all tests and does not set back: "+n.joined())
	case lone.MatchString(callee) && len(first) > 0 && r.runs(n) && !putBack.MatchString(r.source()) && r.once(callee+"("):
		r.reach(n, "sets for all tests and does not set back: "+n.joined())
	case slices.Contains(words["writers"], call.name) && r.ofTests(call.object),
		len(first) > 0 && writes.MatchString(callee) && r.ofTests(first[0]),
		callee == "open" && len(first) > 1 && writeMode.MatchString(first[1].joined()) && r.ofTests(first[0]):
		r.reach(n, "writes over files of tests: "+n.joined())
	}
}

var (
	// frameworkVariable is a variable that a test framework takes orders from.
	frameworkVariable = lazyregexp.New(`^(?:INSTA_\w+|TRYBUILD|PROPTEST_\w+|QUICKCHECK_\w+|UPDATE_EXPECT|SNAPSHOTS|RUST_TEST_\w+|` +
		`NEXTEST\w*|` +
		`PYTEST_(?:ADDOPTS|PLUGINS|DISABLE\w+)|HYPOTHESIS_\w+|JEST_\w+|VITEST\w*|SPEC_OPTS|TESTOPTS|GOFLAGS)$`)
	// runnerItself are calls that change what a runner has still to run, or how.
	runnerItself = lazyregexp.New(`^(?:RSpec\.(?:world|configuration)\.\w[\w.]*|Minitest(?:::Runnable)?\.runnables(?:\.\w+)?|` +
		`FactoryBot\.modify)$`)
	// beforeMain is a mark of Rust's functions that run before or after all others.
	beforeMain = lazyregexp.New(`\b[cd]tor\b`)
	// runnerPart is a part of a runner that tests have no business with.
	runnerPart = lazyregexp.New(`^(?:Minitest::Runnable$|request\.session\.(?:items|should\w+|tests\w+|exitstatus)|` +
		`request\.config\.pluginmanager|` +
		`sys\.(?:meta_path|path_hooks|settrace|setprofile)$|pytest\.exit$|this\.(?:test|_runnable|runnable\(\))\.parent\.)`)
	// starter are calls that start programs, rewrites those that change files, and gitOfTests what git does to tests.
	starter = lazyregexp.New(`^(?:subprocess\.\w+|os\.(?:system|popen)|system|(?:child_process\.)?(?:exec|spawn)(?:Sync)?|execa\w*|` +
		`exec\.Command|` +
		`Kernel\.system|Process\.Start|(?:std::process::)?Command::new)$`)
	rewrites   = lazyregexp.New(`["'` + "`" + `](?:git|rm|mv|cp|ln|sed|tee|truncate)\b`)
	gitOfTests = lazyregexp.New(`\bgit (?:checkout|restore|rm|clean)\b.*\b(?:tests?|specs?)\b`)
	// stepHook is what steps of Gherkin are surrounded or read by.
	stepHook = lazyregexp.New(`^(?:Before|After|Around)(?:All|Step)?$|^(?:set\w+|defineParameterType|ParameterType|` +
		`use_step_matcher|step_matcher)$`)
	undoes = lazyregexp.New(`\b(?:stop|stopall|addCleanup|restore|restoreAllMocks|reset|resetHistory|close|sandbox|createSandbox)\b`)
	// standIn are calls that replace a part of something until they are undone.
	standIn = lazyregexp.New(`(?:^|\.)(?:sinon\.(?:stub|replace)|Mockito\.mock(?:Static|Construction)|mock(?:Static|Construction))$`)
	// sharedCell are calls that set a static variable of Rust.
	sharedCell = lazyregexp.New(`(?:^|::)[A-Z][A-Z0-9_]+\.(?:store|swap|set|replace)$`)
	// lone are calls that set something of the process, and putBack what undoes them in other words.
	lone = lazyregexp.New(`^(?:os\.(?:Setenv|Unsetenv|Chdir|chdir|putenv|unsetenv)|System\.(?:setProperty|setProperties)|` +
		`(?:Locale|TimeZone)\.setDefault|(?:System\.)?Environment\.SetEnvironmentVariable|(?:std::)?env::(?:set_var|remove_var)|` +
		`Dir\.chdir|locale\.setlocale)$`)
	putBack = lazyregexp.New(`\b(?:clearProperty|Unsetenv|remove_var|Cleanup|finally|ensure|TearDown|AfterEach|AfterAll|After|Dispose)\b`)
	builtIn = lazyregexp.New(`^(?:Array|Object|String|Number|Promise|Map|Set|Date|RegExp|Function|Error) \. prototype \. `)
	global  = lazyregexp.New(`^(?:ENV \[|sys \. modules \[|os \. environ \[)`)
	unset   = lazyregexp.New(`\bENV \. (?:delete|update|replace)\b|\b(?:ensure|after|teardown|finally|monkeypatch|tearDown|addCleanup)\b|` +
		`patch \. dict|environ \. (?:pop|clear|update)\b|\bdel (?:os|sys) \.`)
	// writes are calls that change what their first argument names, writers (words.txt) what they are called on.
	writes = lazyregexp.New(`^(?:(?:os|ioutil|shutil)\.(?:remove\w*|unlink|rename|replace|rmtree|copy\w*|move|WriteFile|OpenFile|` +
		`Remove\w*|Rename|Truncate|Create)|` +
		`(?:fs|fsp|fse|fs\.promises)\.(?:write|append|copy|cp|rm|unlink|rename|truncate|remove|outputFile|empty)\w*|` +
		`(?:std::)?fs::(?:write|remove_\w+|rename|copy)|File\.(?:write|delete|rename|WriteAll\w+|Delete|Move|Copy)|Directory\.Delete|` +
		`FileUtils\.\w+|Files\.(?:write\w*|delete\w*|move|copy))$`)
	writeMode = lazyregexp.New(`^(?:mode=)?["'][rb]*[wax+]`)
	// testPath is a path of what tests read.
	testPath = lazyregexp.New(`(?i)(?:^|/)(?:tests?|specs?|__tests__)/|` +
		`(?:^|/)(?:testdata|fixtures|(?:__)?snapshots(?:__)?|cassettes|golden)(?:/|$)`)
)

// within reports whether the file stands below a folder features, in one of these.
func (r *reacher) within(folders ...string) bool {
	_, below, ok := strings.Cut("/"+r.path, "/features/")
	return ok && slices.ContainsFunc(folders, func(f string) bool { return strings.Contains("/"+below, "/"+f+"/") })
}

// runs reports whether a test of the file may run a node: of Go's functions one that is a test, or is named elsewhere.
func (r *reacher) runs(n *Node) bool {
	f := n
	for f.Up != nil && f.Up.Up != nil {
		f = f.Up
	}
	name := f.Child("name").Source()
	return r.Lang != syntax.Go || goTest.MatchString(name) || strings.Count(" "+r.source()+" ", " "+name+" ") > 1
}

var goTest = lazyregexp.New(`^(?:Test|Fuzz|Example|Benchmark)`)

// source is the file in its normal form.
func (r *reacher) source() string {
	if r.text == "" {
		r.text = r.Root.Source()
	}
	return r.text
}

// once reports whether the file says something no more than once: what is set back is said twice.
func (r *reacher) once(what string) bool {
	source := strings.ReplaceAll(r.source(), " ", "")
	return strings.Count(source, what)-strings.Count(source, what+"=") <= 1
}

// ofTests reports whether an expression names a file of tests by a path in the tree.
func (r *reacher) ofTests(n *Node) bool {
	return n != nil && n.Any(func(k *Node) bool {
		text := strings.Trim(k.joined(), "\"'`")
		return k.isText() && text != "" && (testPath.MatchString(text) || strings.Contains(text, "/") && r.used(text))
	})
}

// reflected are names by which Python reaches what another file defines.
var reflected = lazyregexp.New(`^(?:type|importlib|builtins|__import__)\b`)

// hiddenVariable are calls that set a variable of a class of Ruby.
var hiddenVariable = set{"instance_variable_set": true, "class_variable_set": true}

// constant is the constant of Ruby that a member belongs to, "" if it is none's.
func (n *Node) constant() string {
	if len(n.Kids) == 0 || !n.Kids[0].Is("constant") {
		return ""
	}
	return n.Kids[0].Text
}

// staticGiven is what all tests of a process share and a node gives a value: a
// variable of a Go package, a static member, a variable of the environment.
func (r *reacher) staticGiven(n *Node) *Node {
	reference := r.Lang == syntax.Go && n.Is("unary_expression") && n.Kids[0].Text == "&" && n.Kids[1].Is("identifier")
	if !reference && !n.Is("assignment_statement", "assignment_expression", "assignment", "inc_statement", "dec_statement",
		"update_expression", "postfix_unary_expression", "prefix_unary_expression") ||
		n.Ancestor(r.table.functions) == nil && r.Lang != syntax.Ruby {
		return nil
	}
	target := n.Child("left")
	if target == nil && len(n.Kids) > 0 {
		target = n.Kids[0]
	}
	if reference {
		target = n.Kids[1]
	}
	root := target.root()
	switch {
	case global.MatchString(target.Source()):
		if !unset.MatchString(r.source()) {
			return target
		}
	case r.Lang == syntax.Python && target.Is("attribute", "subscript") && reflected.MatchString(target.Source()):
		return target
	case r.Lang == syntax.Ruby && target.Is("call", "scope_resolution") && target.constant() != "" && r.used(target.constant()):
		if !unset.MatchString(r.source()) {
			return target
		}
	case r.Lang == syntax.JavaScript && builtIn.MatchString(target.Source()):
		return target
	case r.Lang == syntax.Go:
		targets := []*Node{target}
		if target.Is("expression_list") {
			targets = target.Kids
		}
		for _, t := range targets {
			if l := t.root(); l.variable && l.bound == nil && l.Text != "_" && !r.vars[l.Text] {
				return t
			}
		}
	case (r.Lang == syntax.Java || r.Lang == syntax.CSharp) && target.Is("field_access", "member_access_expression") && root != nil &&
		root.Text != "" && root.Text[0] >= 'A' && root.Text[0] <= 'Z' && (r.used(root.Text) || root.Text == "CultureInfo"):
		return target
	}
	return nil
}
