package code

import "slices"

// Flow says where values that begin at some nodes of a file go: through
// assignments, and out of the functions that return them.
type Flow struct {
	file *File
	// source says where values begin.
	source  func(*Node) bool
	carries map[place]bool
	// answers: functions carry only what they return as it is, or computed with
	// operators, not what they hand to other functions.
	answers bool
	tracing *Tracing       // nil: a value is in all that holds it
	sets    map[*Node]bool // values of assignments, and whether a traced one is in them, as far as is known
}

// place is a variable, member or function: within a function, or the file.
type place struct {
	scope *Node
	name  string
}

// rounds bounds how often the assignments of a file are gone through.
const rounds = 6

// Follow follows values that begin at source through the file.
func (f *File) Follow(source func(*Node) bool) *Flow {
	return f.follow(&Flow{file: f, source: source, carries: map[place]bool{}})
}

// FollowAnswers is like Follow, but leaves a function out whose value is made by another function of the followed one.
func (f *File) FollowAnswers(source func(*Node) bool) *Flow {
	return f.follow(&Flow{file: f, source: source, carries: map[place]bool{}, answers: true})
}

func (f *File) follow(fl *Flow) *Flow {
	for i := 0; i < rounds; i++ {
		before := len(fl.carries)
		clear(fl.sets)
		for _, a := range f.Assigns {
			fl.assign(a)
		}
		if fl.tracing != nil {
			for _, c := range f.Calls {
				fl.hand(c)
			}
		}
		for _, fn := range f.Funcs {
			fl.returns(fn)
		}
		if len(fl.carries) == before {
			break
		}
	}
	clear(fl.sets)
	return fl
}

// Mark makes a name of the whole file carry the value: an import.
func (fl *Flow) Mark(name string) { fl.carries[place{nil, name}] = true }

func (fl *Flow) assign(a *Node) {
	target, value := a.Kid(0), a.Kid(1)
	if target.Is(List) && value.Is(List) && len(target.Kids) == len(value.Kids) {
		for i, t := range target.Kids {
			if fl.Has(value.Kids[i]) {
				fl.carry(t)
			}
		}
		return
	}
	if fl.Has(value) {
		fl.carry(target)
	}
}

func (fl *Flow) carry(target *Node) {
	for _, t := range Targets(target) {
		if p, ok := fl.place(t); ok {
			fl.carries[p] = true
		}
	}
}

// returns: a function whose value has the value carries it, by its name.
func (fl *Flow) returns(fn *Node) {
	if fn.Text == "" {
		return
	}
	p := place{fn.Outer(Func), fn.Text}
	if fn.Outer(Class) != nil {
		p.scope = nil
	}
	fn.Walk(func(n *Node) bool {
		for _, v := range n.Kids {
			if n.Is(Return) && !fl.carries[p] && fl.Has(v) && (!fl.answers || fl.answer(v)) {
				fl.carries[p] = true
			}
		}
		return n == fn || !n.Is(Func)
	})
}

// place is where a name or member of self stands.
func (fl *Flow) place(n *Node) (place, bool) {
	switch {
	case n.Is(Name) && n.Text != "self" && n.Text != "_":
		return place{ScopeOf(n, n.Text), n.Text}, true
	case n.Is(Member) && n.Kid(0).Is(Name):
		if o := n.Kids[0]; o.Text == "self" {
			return place{nil, "self." + n.Text}, true
		} else if ScopeOf(o, o.Text) == nil {
			return place{nil, o.Text + "." + n.Text}, true
		}
	case n.Is(Index):
		return fl.place(n.Kid(0))
	}
	return place{}, false
}

// Is reports whether a node itself is a source or a name that carries.
func (fl *Flow) Is(n *Node) bool {
	if fl.source(n) {
		return true
	}
	if !n.Is(Name, Member) {
		return false
	}
	if p, ok := fl.place(n); ok && fl.carries[p] {
		return true
	}
	// A method that carries: self.isTest(), env.isTest().
	return n.Is(Member) && n.Up.Is(Call) && n.Up.Kids[0] == n && fl.carries[place{nil, n.Text}] && len(fl.file.Named(n.Text)) > 0
}

// Has reports whether the value is in a node, functions in it left out.
func (fl *Flow) Has(n *Node) bool {
	if fl.tracing != nil {
		return fl.reaches(n)
	}
	found := false
	n.Walk(func(c *Node) bool {
		found = found || !c.Is(Func) && fl.Is(c)
		return !found && !c.Is(Func)
	})
	return found
}

// answer reports whether the value is in a node outside of what is handed to functions.
func (fl *Flow) answer(n *Node) bool {
	if n == nil || n.Is(Func) {
		return false
	}
	if fl.Is(n) {
		return true
	}
	kids := n.Kids
	if n.Is(Call) {
		kids = kids[:min(1, len(kids))]
	}
	return slices.ContainsFunc(kids, fl.answer)
}
