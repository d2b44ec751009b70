package kernel

import (
	"maps"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// Reach is a place in a test file that nobody approved by which it changes what
// approved tests do: both run in one process.
type Reach struct {
	Node *Node
	What string
}

// rootHooks run around every test where they stand outside of a suite.
var rootHooks = set{"beforeEach": true, "afterEach": true, "before": true, "after": true}

// Reaches lists what a new test file does beyond itself when it is loaded or run: it ends the process, replaces
// parts of what others use, or defines a name that approved tests mean as something else. used reports whether
// an approved test that shares the file's names mentions one.
func (t *Tree) Reaches(path string, used func(name string) bool) []Reach {
	r := newReacher(t, path, used)
	t.Root.Walk(func(n *Node) bool {
		switch callee := t.Callee(n); {
		case callee == "" || n.Is("expression_statement", "await_expression"):
		case t.table.exits[callee] && !(t.Lang == syntax.Go && t.UnitOf(n).Name == "TestMain"):
			r.reach(n, "ends the process, or decides how it ends: "+callee)
		case slices.ContainsFunc(overwriters, func(s string) bool { return strings.HasSuffix(callee, s) }):
			r.reach(n, "replaces what all tests use: "+callee)
		case rootHooks[callee] && n.Ancestor(t.table.functions) == nil && (used("chai") || !testCalls.MatchString(r.source())):
			r.reach(n, "runs around the tests of all files: "+callee)
		}
		r.definition(n)
		r.module(n)
		return true
	})
	if len(r.out) == 0 {
		t.Root.Walk(func(n *Node) bool {
			r.lasting(n)
			r.through(n)
			return true
		})
	}
	return r.out
}

// reacher looks at one file. What the file declares is read once.
type reacher struct {
	*Tree
	path     string
	used     func(name string) bool
	imported set               // names of imports, and names that stand for a part of one
	types    set               // types of Go
	vars     set               // variables of Go
	alias    map[string]string // of JavaScript's imports
	lent     map[binding]*Node // what locals are another name of
	text     string
	out      []Reach
}

func newReacher(t *Tree, path string, used func(name string) bool) *reacher {
	r := &reacher{
		Tree: t, path: path, used: used, imported: set{}, types: set{}, vars: set{}, alias: map[string]string{},
		lent: map[binding]*Node{},
	}
	var aliases []*Node
	t.Root.Walk(func(n *Node) bool {
		if n.Is("assignment", "variable_declarator", "short_var_declaration", "for_statement") {
			r.lend(n)
		}
		switch {
		case n.Is("type_spec", "type_alias"):
			r.types[n.Child("name").Source()] = true
		case n.Is("var_spec"):
			r.vars[n.Child("name").Source()] = true
		case n.Is("variable_declarator") && strings.HasPrefix(n.Child("value").Source(), "require ("):
			n.Child("name").Walk(func(k *Node) bool {
				r.imported[k.Text] = true
				return true
			})
		case t.table.imports[n.Kind]:
			for _, name := range t.importOf(n).binds {
				r.imported[name] = true
			}
		case n.Is("assignment") && n.Child("right").Is("attribute") && n.Ancestor(t.table.functions) == nil,
			n.Is("variable_declarator") && n.Child("value").Is("identifier"):
			aliases = append(aliases, n)
		}
		return true
	})
	direct := maps.Clone(r.imported)
	for _, n := range aliases {
		if direct[n.Child("right").root().leafText()] {
			r.imported[n.Child("left").Source()] = true
		}
		if of := n.Child("value").leafText(); direct[of] {
			r.imported[n.Child("name").Source()], r.alias[n.Child("name").Source()] = true, of
		}
	}
	return r
}

func (r *reacher) reach(n *Node, what string) { r.out = append(r.out, Reach{n, what}) }

// overwriters are the ends of callees that replace something for everyone.
var overwriters = words["overwriters"]

// definition looks at a definition.
func (r *reacher) definition(n *Node) {
	declares := n.Is("function_declaration", "type_spec", "type_alias", "var_spec", "const_spec")
	if r.Lang == syntax.Go && declares && n.Ancestor(r.table.functions) == nil {
		if name := n.Child("name").Source(); r.table.reserved[name] && name == strings.ToLower(name) && name != "init" && name != "main" {
			r.reach(n, "gives "+name+" of the language another meaning")
		}
	}
	if !r.table.definition[n.Kind] {
		return
	}
	name := n.Child("name").Source()
	for _, m := range r.Marks(n) {
		if mark := lastName(r.markName(m)); slices.Contains(words["runForAll"], mark) {
			r.reach(m, "runs for the tests of all files: "+mark)
		}
		stem := strings.TrimSuffix(path.Base(r.path), ".py")
		if r.Lang == syntax.Python && strings.Contains(m.Source(), "autouse = True") && !strings.HasPrefix(stem, "test_") &&
			!strings.HasSuffix(stem, "_test") {
			r.reach(m, "runs around the tests of each file that imports it: a fixture for all")
		}
	}
	if r.Lang == syntax.CSharp && strings.HasPrefix(n.Child("parameters").Source(), "( this ") && r.used(name) {
		r.reach(n, "extends others by "+name+", which approved tests call")
	}
	outer := n.Ancestor(r.table.functions) == nil && n.Ancestor(classKinds) == nil
	switch {
	case !outer:
	case r.Lang == syntax.Go && n.Is("method_declaration"):
		if (strings.HasSuffix(r.path, "_test.go") || slices.Contains(lookedUp, name)) && !r.types[receiverOf(n)] {
			r.reach(n, "gives a type of another file the method "+name+", which others may call")
		}
	case r.Lang == syntax.Go && n.Is("type_declaration"):
	case r.Lang == syntax.Go || r.Lang == syntax.Java || r.Lang == syntax.CSharp:
		if r.used(name) || r.Lang == syntax.CSharp && strings.HasSuffix(name, "Attribute") &&
			r.used(strings.TrimSuffix(name, "Attribute")) {
			r.reach(n, "defines "+name+", which approved tests mean as something else")
		}
	case r.Lang == syntax.Ruby && n.Is("class", "module") && r.used(name):
		if n.Any(func(k *Node) bool { return k.Is("method", "singleton_method") }) {
			r.reach(n, "opens "+name+" again, which approved tests use")
		}
	}
}

// lookedUp are methods that other code calls if a type has them.
var lookedUp = words["lookedUp"]

// receiverOf is the type that a method of Go belongs to.
func receiverOf(n *Node) string {
	return n.Child("receiver").Find(func(k *Node) bool { return k.Is("type_identifier") }).leafText()
}

// module looks at what gives other values to parts of what the file imports: they last beyond the file, whether
// it is loaded or one of its tests is run.
func (r *reacher) module(n *Node) {
	loading := n.Ancestor(r.table.functions) == nil
	callee := r.Callee(n)
	call, isCall := r.table.callOf(n)
	switch {
	case r.Lang == syntax.Go:
		r.goInit(n)
	case r.Lang == syntax.CSharp && n.Is("using_directive") && n.Child("name") != nil && n.Kids[0].Text == "global":
		r.reach(n, "gives a name another meaning in all files: "+n.Child("name").Source())
	case n.Is("global_attribute") && !harmlessAttribute.MatchString(n.Source()):
		r.reach(n, "sets an attribute for all tests: "+n.Source())
	case r.Lang == syntax.Ruby:
		r.ruby(n)
	case n.Is("assignment_expression") && sharedSet.MatchString(n.Child("left").Source()),
		n.Is("call_expression") && sharedDefined.MatchString(n.Source()):
		r.reach(n, "changes the framework for others: "+n.Source())
	case r.partGiven(n) != nil:
		part := r.partGiven(n)
		if root := part.root(); r.shared(root) && (loading && r.Lang == syntax.Python ||
			(r.used(root.Text) || r.used(r.alias[root.Text]) || len(root.Kids) > 0) &&
				r.used(part.lastLeaf())) {
			r.reach(n, "replaces a part of what it imports: "+part.Source())
		}
	case !isCall:
		if r.Lang == syntax.Python && loading && n.Is("function_definition") &&
			pythonHook.MatchString(path.Base(r.path)+" "+n.Child("name").Source()) {
			r.reach(n, "is a hook that sees the tests of all files: "+n.Child("name").Source())
		}
	case loading && slices.Contains(onlyInTests, callee), loading && call.name == "start" &&
		strings.Contains(call.object.Source(), "patch"):
		r.reach(n, "does while it is loaded what lasts: "+callee)
	case slices.Contains(partSetters, callee) && len(call.args) > 0 && r.shared(call.args[0].root()):
		if part := call.args[0]; loading && r.Lang == syntax.Python || r.used(part.root().Text) || len(part.root().Kids) > 0 {
			r.reach(n, "replaces a part of what it imports: "+part.Source())
		}
	}
}

// pythonHook is a function that a runner looks for in a file that it loads by itself, testCalls are those of a file with tests.
var (
	pythonHook = lazyregexp.New(`^conftest\.py pytest_|^environment\.py (?:before|after)_(?:all|feature|rule|scenario|step|tag)$`)
	testCalls  = lazyregexp.New(`\b(?:it|test|specify|describe|suite|context)\b`)
)

// What all test files of a process share of JavaScript's frameworks, as it is set and as it is defined.
const (
	sharedNames  = `(?:expect|test|it|describe|suite|assert|should|chai|jest|vi|vitest)`
	globalObject = `(?:global|globalThis|window|self)`
)

var (
	sharedSet = lazyregexp.New(`^` + globalObject + ` (?:\. ` + sharedNames + `|\[ ["']` + sharedNames + `["'] \])$|` +
		`^(?:expect|it|test|describe|assert|chai)$|^(?:assert|chai)(?: \. \w+)+$|\bAssertion \. prototype \. \w+$|^process \. exitCode$`)
	sharedDefined = lazyregexp.New(`^(?:Object|Reflect) \. (?:defineProperty|set|assign) \( ` +
		`(?:` + globalObject + ` , (?:["']` + sharedNames + `["']|\{[^}]*\b` + sharedNames + `\b)|(?:assert|chai|expect)\b)`)
	// harmlessAttribute is one of an assembly of C# that only describes it, or says how many tests run at once.
	harmlessAttribute = lazyregexp.New(`\b(?:Assembly\w+|InternalsVisibleTo|CollectionBehavior|Paralleliz\w+|LevelOfParallelism|` +
		`DoNotParallelize|ExcludeFromCodeCoverage|SuppressMessage|CLSCompliant|ComVisible|Guid|Trait)\b`)
)

// partGiven is the part of something that a node gives a value or takes away, nil if it does neither.
func (t *Tree) partGiven(n *Node) *Node {
	target := n.Child("left")
	switch {
	case n.Is("assignment", "assignment_expression", "augmented_assignment", "augmented_assignment_expression", "for_statement",
		"for_in_clause", "for_in_statement"):
	case n.Is("delete_statement") && len(n.Kids) > 1:
		target = n.Kids[1]
	case n.Is("as_pattern_target") && len(n.Kids) > 0:
		target = n.Kids[0]
	default:
		return nil
	}
	if !target.Is("attribute", "subscript", "member_expression", "subscript_expression") {
		return nil
	}
	return target
}

// partSetters give their first argument other parts.
var partSetters = words["partSetters"]

// onlyInTests are calls of which a test may have its reasons, and a file that is loaded for others as well has none.
var onlyInTests = []string{"setattr", "exec", "sys.exit", "exit", "quit", "pytest.exit", "os.kill"}

// shared reports whether a name is one of an import, or holds the global names.
func (r *reacher) shared(root *Node) bool {
	switch {
	case strings.HasPrefix(root.Source(), "require ("):
		return true
	case !root.Is("identifier"):
		return false
	case r.table.lang != syntax.Python && slices.Contains([]string{"globalThis", "global", "window", "self", "require"}, root.Text):
		return true
	}
	return r.imported[root.Text]
}

// lastLeaf is the name that a member ends with.
func (n *Node) lastLeaf() string {
	out := ""
	n.Leaves(func(l *Node) bool {
		if strings.Contains(l.Kind, "identifier") || strings.Contains(l.Kind, "string") {
			out = strings.Trim(l.Text, "\"'`")
		}
		return true
	})
	return out
}

// goInit looks at what Go runs when it loads the package: it may change nothing
// but variables of its own file, and call nothing of the package.
func (r *reacher) goInit(n *Node) {
	other := func(l *Node) bool { return l.variable && l.bound == nil && l.Text != "_" && !r.vars[l.Text] }
	in := ""
	for at := n.Up; at != nil; at = at.Up {
		if at.Is("var_declaration") && at.Ancestor(r.table.functions) == nil ||
			at.Is("function_declaration") && at.Child("name").Source() == "init" {
			in = at.Kind
		}
	}
	target := n.Child("left")
	switch {
	case in == "":
		return
	case n.Is("inc_statement", "dec_statement"), n.Is("unary_expression") && n.Kids[0].Text == "&":
		target = n
	case r.inContainer(n):
		if focused.MatchString(n.Child("function").Source()) {
			r.reach(n, "focuses: "+n.Child("function").Source())
		}
		return
	case n.Is("call_expression") && (in == "function_declaration" || strings.HasSuffix(r.path, "_test.go")):
		target = n.Child("function")
		if callee := target.Source(); !processSet.MatchString(callee) && (!target.Is("identifier") || r.table.reserved[callee]) {
			return
		}
	case !n.Is("assignment_statement"):
		return
	}
	if target.Any(other) {
		r.reach(n, "changes what is not its own before any test runs: "+target.Source())
	}
}

// inContainer reports whether a node is a container of Ginkgo, or in one: what it holds runs as tests do.
func (r *reacher) inContainer(n *Node) bool {
	for at := n; at != nil; at = at.Up {
		if at.Is("call_expression") && at.Up.Up.Is("var_spec", "expression_list") && container.MatchString(at.Child("function").Source()) {
			return r.imported["ginkgo"] || strings.Contains(r.source(), "onsi/ginkgo")
		}
	}
	return false
}

var (
	container = lazyregexp.New(`^(?:ginkgo \. )?(?:Describe|Context|When|DescribeTable)$`)
	focused   = lazyregexp.New(`^(?:ginkgo \. )?(?:F[A-Z]\w+|\w*Suite|ReportAfter\w+)$`)
)

// processSet are calls that change what all code of a process sees.
var processSet = lazyregexp.New(`^(?:os \. (?:Setenv|Unsetenv|Clearenv|Chdir)|flag \. Set|syscall \. \w+)$`)

// ruby looks at calls that give a class or an object other methods.
func (r *reacher) ruby(n *Node) {
	loading := n.Ancestor(r.table.functions) == nil
	first := n.Child("name").Find(func(k *Node) bool { return len(k.Kids) == 0 }).leafText()
	if n.Is("class", "module") && slices.Contains(rubyCommon, first) {
		r.reach(n, "opens again what all tests use: "+n.Child("name").Source())
	}
	if n.Is("singleton_method") && n.Child("object").Is("constant") && r.used(n.Child("object").Text) {
		r.reach(n, "gives "+n.Child("object").Text+" another method, which approved tests use")
	}
	call, ok := r.table.callOf(n)
	if !ok {
		return
	}
	inTest := strings.HasSuffix(r.path, "_spec.rb") || strings.HasSuffix(r.path, "_test.rb")
	if callee := r.table.calleeOf(call); loading && inTest && slices.Contains(words["rubyLasting"], callee) {
		r.reach(n, "does while it is loaded what lasts: "+callee)
	}
	if call.name == "define" && (call.object.Source() == "FactoryBot" && !factoryDefault.MatchString(r.source()) ||
		len(call.args) > 0 && !r.used(strings.TrimPrefix(call.args[0].Source(), ":"))) {
		return // a matcher under a fresh name; a factory of a known name is an error
	}
	changes := changesClass(call)
	root := call.object.root()
	if changes && (root.Is("constant") && (r.used(root.Text) || root.Text == "Object") || root.Is("scope_resolution")) {
		r.reach(n, "changes what approved tests use: "+root.Source()+"."+call.name)
	}
}

// factoryDefault is what says for all factories how objects are made.
var factoryDefault = lazyregexp.New(`\b(?:skip_create|to_create|initialize_with)\b`)

// rubyCommon are classes and modules of the language and of the frameworks.
var rubyCommon = words["rubyCommon"]

// rubyChangers change the class or the object that they are called on.
var rubyChangers = words["rubyChangers"]

// changesClass reports whether a call of Ruby gives what it is made on other methods.
func changesClass(c call) bool {
	if slices.Contains([]string{"send", "__send__", "public_send"}, c.name) && len(c.args) > 0 {
		return slices.Contains(rubyChangers, strings.TrimPrefix(c.args[0].Source(), ":"))
	}
	return slices.Contains(rubyChangers, c.name)
}
