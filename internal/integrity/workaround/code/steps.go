package code

import "strings"

// Step is a place where a function counts how often it was called, in something
// that outlives the call.
type Step struct {
	Fn, Node *Node
	Name     string // dotted; "" if only the step itself has a value
	Shared   bool   // by all objects, not one object's own
}

// Steps lists the counters of a file: x += 1, x = x + 1, calls.Add(1), and lists
// of the file that grow.
func (f *File) Steps() []Step {
	var out []Step
	add := func(fn, n *Node, target *Node, atomic bool) {
		if fn == nil || n.Outer(Loop).Within(fn) && n.Outer(Loop) != nil {
			return
		}
		s := Step{Fn: fn, Node: n, Name: Dotted(target)}
		if target.Is(Index) && s.Name == "" {
			s.Name = Dotted(target.Kid(0))
		}
		first := target
		for first.Is(Member, Index) {
			first = first.Kid(0)
		}
		local := first.Is(Name) && f.Scope(first) != nil
		if s.Name == "" || target.Is(Name) && f.Scope(target) == fn && !atomic {
			return
		}
		field := strings.TrimPrefix(s.Name, "self.")
		ofObject := strings.HasPrefix(s.Name, "self.") || target.Is(Name) && !local
		s.Shared = !(target.Is(Member) && local) && (!ofObject || !f.isField(field) || f.isShared(field)) && (!strings.HasPrefix(s.Name, "self.") || f.isShared(field))
		out = append(out, s)
	}
	for _, a := range f.Assigns {
		v, one := a.Kid(1), a.Kid(1).Is(Literal) && a.Kid(1).Value.Type == Number
		if (a.Text == "+=" || a.Text == "-=") && one ||
			v.Is(Binary) && (v.Text == "+" || v.Text == "-") && v.Kid(1).Is(Literal) && Dotted(v.Kid(0)) != "" && Dotted(v.Kid(0)) == Dotted(a.Kid(0)) {
			add(a.Outer(Func), a, a.Kid(0), false)
		}
	}
	for _, c := range f.Calls {
		object := c.Kid(0).Kid(0)
		switch Method(c) {
		case "fetch_add", "incrementAndGet", "getAndIncrement", "addAndGet", "Increment", "AddInt32", "AddInt64", "AddUint32", "AddUint64":
			if !object.Is(Name) || !c.Kid(0).Is(Member) || object.Text == "Interlocked" || object.Text == "atomic" {
				object = c.Kid(1)
			}
			add(c.Outer(Func), c, object, true)
		case "Add":
			if len(c.Kids) == 2 && c.Kids[1].Is(Literal) && object != nil {
				add(c.Outer(Func), c, object, true)
			}
		case "append", "push":
			if object.Is(Name) && object.Text != "self" && f.Scope(object) == nil && c.Kid(0).Is(Member) {
				add(c.Outer(Func), c, object, true)
			}
		}
	}
	return out
}

// isField reports whether a name is declared within a class.
func (f *File) isField(name string) bool {
	for _, a := range f.Assigned(name) {
		if a.Outer(Func) == nil && a.Outer(Class) != nil && !a.Outer(Class).Def.Has("namespace") {
			return true
		}
	}
	return false
}

// isShared reports whether a name is a field that all objects of a class share.
func (f *File) isShared(name string) bool {
	for _, a := range f.Assigned(name) {
		if a.Outer(Func) == nil && a.Outer(Class) != nil && (f.Lang == "Python" || a.Def != nil && a.Def.Has("static")) {
			return true
		}
	}
	return strings.HasPrefix(name, "@@") || strings.HasPrefix(name, "__class__.")
}

// Follow says where the count goes.
func (s Step) Follow(f *File) *Flow {
	grows := Method(s.Node) == "append" || Method(s.Node) == "push"
	return f.Follow(func(n *Node) bool {
		switch {
		case grows:
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
	if g.Subject != nil {
		for _, p := range g.Patterns {
			if flow.Has(g.Subject) && p.Is(Literal) && p.Value.Type == Number {
				return p.Value.Text, p.Line
			}
		}
		return "", 0
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
