package code

import (
	"strings"

	"workflow-reviewer/internal/lazyregexp"
)

// Step is a place where a function counts how often it was called, in something that outlives the call.
type Step struct {
	Fn, Node *Node
	Name     string // dotted
	Shared   bool   // by all objects, not one object's own
}

// Steps lists the counters of a file: x += 1, x = x + 1, calls.Add(1), and lists of the file that grow.
func (f *File) Steps() []Step {
	var out []Step
	add := func(n, target *Node) {
		fn := n.Outer(Func)
		name := Dotted(target)
		if target.Is(Index) && name == "" {
			name = Dotted(target.Kid(0))
		}
		inLoop := n.Outer(Loop) != nil && n.Outer(Loop).Within(fn)
		if fn == nil || name == "" || inLoop || target.Is(Name) && n.Is(Assign) && f.Scope(target) == fn {
			return
		}
		out = append(out, Step{fn, n, name, f.isShared(target, name)})
	}
	for _, a := range f.Assigns {
		t, v := a.Kid(0), a.Kid(1)
		stepped := (a.Text == "+=" || a.Text == "-=") && v.Is(Literal) && v.Value.Type == Number
		if stepped || v.Is(Binary) && v.Kid(1).Is(Literal) && Dotted(t) != "" && Dotted(v.Kid(0)) == Dotted(t) {
			add(a, t)
		}
	}
	for _, c := range f.Calls {
		switch object := c.Kid(0).Kid(0); {
		case atomically.MatchString(Method(c)) && (!object.Is(Name) || object.Text == "Interlocked" || object.Text == "atomic"):
			add(c, c.Kid(1))
		case atomically.MatchString(Method(c)), Method(c) == "Add" && len(c.Kids) == 2 && c.Kids[1].Is(Literal) && object != nil,
			grows.MatchString(Method(c)) && object.Is(Name) && object.Text != "self" && f.Scope(object) == nil:
			add(c, object)
		}
	}
	return out
}

var (
	atomically = lazyregexp.New(`^(?:fetch_add|incrementAndGet|getAndIncrement|addAndGet|Increment|AddU?[iI]nt(?:32|64))$`)
	grows      = lazyregexp.New(`^(?:append|push)$`)
)

// isShared reports whether all objects share what is counted: a variable of the
// file or of a closure, or a static field.
func (f *File) isShared(target *Node, name string) bool {
	field, ofSelf := strings.CutPrefix(name, "self.")
	ofObject := ofSelf
	for _, a := range f.Assigned(field) {
		inClass := a.Outer(Func) == nil && a.Outer(Class) != nil && !a.Outer(Class).Def.Has("namespace")
		if inClass && (f.Lang == "Python" || a.Def != nil && a.Def.Has("static")) {
			return true
		}
		ofObject = ofObject || inClass
	}
	first := First(target)
	local := first.Is(Name) && f.Scope(first) != nil
	return strings.HasPrefix(field, "@@") || strings.HasPrefix(field, "__class__.") || !ofObject && !(target.Is(Member) && local)
}

// Follow says where the count goes.
func (s Step) Follow(f *File) *Flow {
	return f.Follow(func(n *Node) bool {
		switch {
		case grows.MatchString(Method(s.Node)):
			return n.Is(Call) && Method(n) == "len" && Dotted(n.Kid(1)) == s.Name ||
				n.Is(Member) && (n.Text == "length" || n.Text == "size" || n.Text == "Count") && Dotted(n.Kid(0)) == s.Name
		case n == s.Node:
			return true
		}
		return n.Is(Name, Member, Index) && (Dotted(n) == s.Name || n.Is(Index) && Dotted(n) == "" && Dotted(n.Kid(0)) == s.Name)
	})
}

// Demands is the number that a guard demands of a value by equality, "" if none.
func (g Guard) Demands(flow *Flow) (number string, line int) {
	for _, p := range g.Patterns {
		if g.Subject != nil && flow.Has(g.Subject) && p.Is(Literal) && p.Value.Type == Number {
			return p.Value.Text, p.Line
		}
	}
	g.Cond.Any(func(n *Node) bool {
		for i, k := range n.Kids {
			if n.Is(Binary) && n.Text == "==" && k.Is(Literal) && k.Value.Type == Number && flow.Has(n.Kids[1-i]) {
				number, line = k.Value.Text, n.Line
			}
		}
		return number != ""
	})
	return number, line
}
