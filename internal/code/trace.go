package code

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// Tracing says which values are followed, and what ends their way.
type Tracing struct {
	// Source says where a value begins.
	Source func(*Node) bool
	// Stops says that nothing of a value comes out of a node: a number is made of it, or it is escaped there.
	Stops func(*Node) bool
	// Through says that the arguments of a call are in what it gives, although nothing is known of the function.
	Through func(call *Node) bool
}

// Trace follows values as Follow does, but only where they become a part of another: a condition, an index, a
// comparison and the arguments of an unknown function end their way. They go into the parameters of the file's
// own functions and of the functions that are handed to a method of theirs.
func (f *File) Trace(t Tracing) *Flow {
	return f.follow(&Flow{file: f, source: t.Source, carries: map[place]bool{}, tracing: &t, sets: map[*Node]bool{}})
}

var (
	// adds is how something is put into a list or a text.
	adds = lazyregexp.New(`^(?:push|unshift|append|extend|insert|add|splice|set|update|concat|write|WriteString|Append\w*|push_str|<<)$`)
	// makes is what calls a function for each of its elements, and has what that gives.
	makes = lazyregexp.New(`^(?:map!?|flatMap|flat_map|collect|Select|reduce|inject|fold|then|use(?:Memo|Callback))$`)
	// keeps is what gives its arguments back as a text or a list.
	keeps = lazyregexp.New(`^(?:str|String|bytes|list|tuple|sorted|set|dict|join|Join|concat|Concat|format|formatted` +
		`|Format|Sprintf|Sprint` +
		`|Sprintln|raw|trim\w*|Trim\w*|strip|lower|upper|To(?:Lower|Upper|String)|to_(?:s|string|owned)|toString|valueOf|replace\w*` +
		`|Replace\w*|append|decodeURI(?:Component)?|unquote|unescape|decode|b64decode|atob|parse|loads|from|values|entries|keys` +
		`|Object|Array|deepcopy|copy|clone|Some|Ok|push|unwrap\w*|as_str|dedent|fill|vec|use(?:State|Ref))$`)
)

// parts are the nodes of which a node's value is made.
func (fl *Flow) parts(n *Node) []*Node {
	switch n.Kind {
	case Name, Literal, Func, Class, Import, Return, Raise, Loop:
		return nil
	case Ternary, If, Switch, Pair, Assign:
		return n.Kids[min(1, len(n.Kids)):]
	case Case, Block:
		return n.Kids[max(0, len(n.Kids)-1):]
	case Member, Index:
		return n.Kids[:min(1, len(n.Kids))]
	case Unary:
		if n.Text == "not" {
			return nil
		}
	case Binary:
		return operands(n)
	case Call:
		return fl.partsOf(n)
	case Other:
		return slices.DeleteFunc(slices.Clone(n.Kids), func(k *Node) bool {
			return k.Is(Assign) && k.Text == "for" || k.Src.Is("if_clause", "type_annotation", "type_arguments", "generic_type")
		})
	}
	return n.Kids
}

// compares matches the operators whose value is none of their operands'.
var compares = lazyregexp.New(`^(?:[=!<>]=?|===?|!==?|[<>]=|in|not in|is|is not|=~|!~|<=>|~=|&|\||\^|-|/|\*\*?|instanceof)$`)

func operands(n *Node) []*Node {
	switch {
	case compares.MatchString(n.Text):
		return nil
	case n.Text == "&&":
		return n.Kids[1:]
	default:
		return n.Kids
	}
}

// partsOf are the parts of what a call gives.
func (fl *Flow) partsOf(n *Node) []*Node {
	callee, method := n.Kid(0), Method(n)
	if len(fl.file.own(callee)) > 0 && n.Text != "new" {
		return []*Node{callee} // it carries if what it returns does
	}
	var out []*Node
	if makes.MatchString(method) {
		for _, a := range n.Args() {
			if a.Is(Func) {
				out = append(out, returned(a)...)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	if callee.Is(Member) {
		out = append(out, callee.Kid(0))
	} else if !callee.Is(Name) {
		out = append(out, callee)
	}
	joined := method == "join" && callee.Is(Member) && fl.file.Lang != syntax.Python && fl.file.Lang != syntax.Java // with what
	if keeps.MatchString(method) && n.Text != "new" && !joined || fl.tracing.Through(n) {
		for _, a := range n.Args() {
			if a.Is(Func) {
				out = append(out, returned(a)...)
			} else {
				out = append(out, a)
			}
		}
	}
	return out
}

// own are the functions of the file that a name calls, or a member of self.
func (f *File) own(callee *Node) []*Node {
	if callee.Is(Name) || callee.Is(Member) && callee.Kid(0).Is(Name) && callee.Kids[0].Text == "self" {
		return f.NamedOrAssigned(callee.Text)
	}
	return nil
}

// NamedOrAssigned are the functions of a name, and those without one that are assigned to it.
func (f *File) NamedOrAssigned(name string) []*Node {
	out := f.Named(name)
	for _, a := range f.Assigned(name) {
		if fn := a.Kid(1); fn.Is(Func) && a.Kid(0).Is(Name, Member) && fn.Text != name {
			out = append(out[:len(out):len(out)], fn)
		}
	}
	return out
}

// returned are the values that a function returns.
func returned(fn *Node) []*Node {
	var out []*Node
	fn.Walk(func(n *Node) bool {
		if n.Is(Return) {
			out = append(out, n.Kids...)
		}
		return n == fn || !n.Is(Func)
	})
	return out
}

// reaches reports whether a traced value is in a node's.
func (fl *Flow) reaches(n *Node) bool {
	switch {
	case n == nil:
		return false
	case !n.Is(Name):
		return !fl.tracing.Stops(n) && (fl.Is(n) || slices.ContainsFunc(fl.parts(n), fl.reaches))
	}
	set := lastSet(n)
	if set == nil {
		return fl.Is(n) && !fl.tracing.Stops(n)
	}
	known, ok := fl.sets[set]
	if !ok {
		fl.sets[set] = false // what it adds to itself adds nothing
		known = fl.reaches(set)
		fl.sets[set] = known
	}
	return known && !fl.tracing.Stops(n)
}

// maxBack is how many statements before a name's are looked at in a block.
const maxBack = 50

// lastSet is the value that a statement before a name's, in the same block or one around it, gives it in any
// case; nil if there is none, or something between them may set it as well.
func lastSet(n *Node) *Node {
	if !n.Is(Name) {
		return nil
	}
	sets := func(s *Node) bool {
		return s.Is(Assign) && s.Text == "=" && s.Kid(0).Is(Name) && s.Kids[0].Text == n.Text
	}
	for at := n; at.Up != nil && !at.Is(Loop, Func); at = at.Up {
		if !at.Up.Is(Block, Func, Handler) {
			continue
		}
		own := slices.Index(at.Up.Kids, at)
		for i := own - 1; i >= 0; i-- {
			switch s := at.Up.Kids[i]; {
			case i < own-maxBack:
				return nil
			case sets(s):
				return s.Kids[1]
			case s.Mentions(n.Text):
				return nil
			}
		}
	}
	return nil
}

// hand carries what a call hands over: into the parameters of a function of the
// file, of one that it is handed, and into what it adds to.
func (fl *Flow) hand(call *Node) {
	callee, args := call.Kid(0), call.Args()
	for _, fn := range fl.file.own(callee) {
		for i, a := range args {
			param := ""
			switch {
			case a.Is(Pair) && a.Text == "kw":
				param = a.Kid(0).Text
			case i < len(fn.Def.Params):
				param = fn.Def.Params[i]
			}
			if param != "" && fl.reaches(a) {
				fl.carries[place{fn, param}] = true
			}
		}
	}
	if !callee.Is(Member) {
		return
	}
	object := callee.Kid(0)
	var handed []*Node
	for _, a := range args {
		if handed = append(handed, fl.file.own(a)...); a.Is(Func) {
			handed = append(handed, a)
		}
	}
	for _, fn := range handed {
		if len(fn.Def.Params) == 0 || callee.Text == "catch" || !fl.reaches(object) {
			continue
		}
		carried := fn.Def.Params[:1] // a second one counts
		if list := fn.Src.Field("parameters").Named(); len(list) > 0 && strings.HasPrefix(list[0].Text(), "{") || callee.Text == "reduce" {
			carried = fn.Def.Params
		}
		for _, p := range carried {
			fl.carries[place{fn, p}] = true
		}
	}
	if adds.MatchString(callee.Text) && slices.ContainsFunc(args, fl.reaches) {
		fl.carry(object)
	}
}
