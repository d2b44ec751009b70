package kernel

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// lasting looks at what a test of a new file leaves behind when it was run: what
// it sets and nothing of the file sets back, what it writes over, what it does to
// the runner itself.
func (r *reacher) lasting(n *Node) {
	if r.table.exits[n.joined()] && n.Is("attribute", "member_expression", "field_access", "scoped_identifier", "selector_expression") &&
		r.Callee(n.Up) != n.joined() {
		r.reach(n, "hands on what ends the process: "+n.joined())
	}
	if n.isText() && frameworkVariable.MatchString(strings.Trim(n.joined(), "\"'`")) {
		r.reach(n, "speaks to a test framework through the environment: "+n.joined())
	}
	if n.Is("scope_resolution", "constant") && n.joined() == "Minitest::Runnable" {
		r.reach(n, "steers the runner itself: "+n.joined())
	}
	if target := r.staticGiven(n); target != nil && r.runs(n) && r.once(target.joined()+"=") {
		r.reach(n, "sets for all tests and does not set back: "+target.joined())
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
	case call.name == "start" && strings.Contains(call.object.Source(), "patch") && !undoes.MatchString(r.source()):
		r.reach(n, "replaces a part and does not put it back: "+call.object.joined())
	case call.name == "update" && strings.HasPrefix(call.object.Source(), "vars ("):
		r.reach(n, "replaces a part of what it imports: "+call.object.joined())
	case len(first) > 0 && standIn.MatchString(callee) && !undoes.MatchString(r.source()) &&
		n.Ancestor(set{"resource": true}) == nil && (r.shared(first[0].root()) || first[0].Is("class_literal")):
		r.reach(n, "replaces a part and does not put it back: "+n.joined())
	case call.name == "set" && r.Lang == syntax.Java && len(first) == 2 && first[0].Text == "null":
		r.reach(n, "sets for all tests and does not set back: "+n.joined())
	case lone.MatchString(callee) && len(first) > 0 && r.runs(n) && !putBack.MatchString(r.source()) && r.once(callee+"("):
		r.reach(n, "sets for all tests and does not set back: "+n.joined())
	case slices.Contains(words["writers"], call.name) && r.ofTests(call.object),
		len(first) > 0 && writes.MatchString(callee) && r.ofTests(first[0]):
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
	// stepHook is what steps of Gherkin are surrounded or read by.
	stepHook = lazyregexp.New(`^(?:Before|After|Around)(?:All|Step)?$|^(?:set\w+|defineParameterType|ParameterType|` +
		`use_step_matcher|step_matcher)$`)
	undoes = lazyregexp.New(`\b(?:stop|stopall|addCleanup|restore|restoreAllMocks|reset|resetHistory|close|sandbox|createSandbox)\b`)
	// standIn are calls that replace a part of something until they are undone.
	standIn = lazyregexp.New(`(?:^|\.)(?:sinon\.(?:stub|replace)|Mockito\.mock(?:Static|Construction)|mock(?:Static|Construction))$`)
	// lone are calls that set something of the process, and putBack what undoes them in other words.
	lone = lazyregexp.New(`^(?:os\.(?:Setenv|Unsetenv|Chdir|chdir|putenv|unsetenv)|System\.(?:setProperty|setProperties)|` +
		`(?:Locale|TimeZone)\.setDefault|(?:System\.)?Environment\.SetEnvironmentVariable|(?:std::)?env::(?:set_var|remove_var)|Dir\.chdir)$`)
	putBack = lazyregexp.New(`\b(?:clearProperty|Unsetenv|remove_var|Cleanup|finally|ensure|TearDown|AfterEach|AfterAll|After|Dispose)\b`)
	builtIn = lazyregexp.New(`^(?:Array|Object|String|Number|Promise|Map|Set|Date|RegExp|Function|Error) \. prototype \. `)
	global  = lazyregexp.New(`^(?:ENV \[|sys \. modules \[|os \. environ \[)`)
	unset   = lazyregexp.New(`\bENV \. (?:delete|update|replace)\b|\b(?:ensure|after|teardown|finally|monkeypatch|tearDown|addCleanup)\b|` +
		`patch \. dict|environ \. (?:pop|clear|update)\b|\bdel (?:os|sys) \.`)
	// writes are calls that change what their first argument names, writers (words.txt) what they are called on.
	writes = lazyregexp.New(`^(?:(?:os|ioutil|shutil)\.(?:remove\w*|unlink|rename|replace|rmtree|copy\w*|move|WriteFile|` +
		`Remove\w*|Rename|Truncate|Create)|` +
		`(?:fs|fsp|fse|fs\.promises)\.(?:write|append|copy|cp|rm|unlink|rename|truncate|remove|outputFile|empty)\w*|` +
		`(?:std::)?fs::(?:write|remove_\w+|rename|copy)|File\.(?:write|delete|rename|WriteAll\w+|Delete|Move|Copy)|Directory\.Delete|` +
		`FileUtils\.\w+|Files\.(?:write\w*|delete\w*|move|copy))$`)
	// ofTests is a path of what tests read.
	ofTests = lazyregexp.New(`(?i)(?:^|/)(?:tests?|specs?|__tests__)/|` +
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
		return k.isText() && text != "" && (ofTests.MatchString(text) || strings.Contains(text, "/") && r.used(text))
	})
}

// staticGiven is what all tests of a process share and a node gives a value: a
// variable of a Go package, a static member, a variable of the environment.
func (r *reacher) staticGiven(n *Node) *Node {
	if !n.Is("assignment_statement", "assignment_expression", "assignment", "inc_statement", "dec_statement") ||
		n.Ancestor(r.table.functions) == nil && r.Lang != syntax.Ruby {
		return nil
	}
	target := n.Child("left")
	if target == nil && len(n.Kids) > 0 {
		target = n.Kids[0]
	}
	root := target.root()
	switch {
	case global.MatchString(target.Source()):
		if !unset.MatchString(r.source()) {
			return target
		}
	case r.Lang == syntax.JavaScript && builtIn.MatchString(target.Source()):
		return target
	case r.Lang == syntax.Go && !target.Is("selector_expression", "index_expression"):
		other := target.Find(func(l *Node) bool { return l.variable && l.bound == nil && l.Text != "_" && !r.vars[l.Text] })
		if other != nil && n.Kids[len(n.Kids)-1] != nil && !strings.Contains(n.Source(), ":=") {
			return target
		}
	case (r.Lang == syntax.Java || r.Lang == syntax.CSharp) && target.Is("field_access", "member_access_expression") && root != nil &&
		root.Text != "" && root.Text[0] >= 'A' && root.Text[0] <= 'Z' && r.used(root.Text):
		return target
	}
	return nil
}
