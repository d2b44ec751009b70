package kernel

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// definitionRewritten forgives what two definitions differ in besides their bodies:
//
//   - a mark that skips the test or expects its failure is gone, so that more
//     must pass;
//   - a row more in marks that hold rows, after the approved ones;
//   - the name of a test that a runner collects under the new name as well,
//     which the file uses nowhere else.
func (c *comparer) definitionRewritten(a, b *Node) (used, same bool) {
	if !c.table.definition[a.Kind] || a.Kind != b.Kind || a.Field != b.Field {
		return false, false
	}
	oldMarks, oldRest := c.marks(a)
	newMarks, newRest := c.marks(b)
	if len(oldRest) != len(newRest) {
		return false, false
	}
	same = c.sameMarks(oldMarks, newMarks)
	for i := range oldRest {
		o, n := oldRest[i], newRest[i]
		if o.Field == "name" && n.Field == "name" && o.hash != n.hash && c.testRenamed(a, b, o, n) {
			c.forgive("a test renamed that is still collected")
			continue
		}
		same = c.same(o, n) && same
	}
	return true, same
}

// marks separates the decorators, annotations and attributes of a definition from the rest of it.
func (c *reader) marks(n *Node) (marks, rest []*Node) {
	for _, k := range n.Kids {
		if k.Is(markKinds...) {
			marks = append(marks, k)
		} else {
			rest = append(rest, k)
		}
	}
	return marks, rest
}

// markKinds are decorators, annotations and attributes.
var markKinds = []string{"decorator", "annotation", "marker_annotation", "attribute", "attribute_item"}

// sameMarks compares marks in their order.
func (c *comparer) sameMarks(old, now []*Node) bool {
	same := true
	i := 0
	for _, o := range old {
		switch {
		case i < len(now) && c.try(o, now[i]):
			i++
		case c.skips(o) && !slices.ContainsFunc(now, func(n *Node) bool { return c.markName(n) == c.markName(o) }):
			c.forgive("a skip, expected failure or focus removed")
		case i < len(now) && (c.markNarrowed(o, now[i]) || c.reasonGiven(o, now[i])):
			i++
		case i < len(now) && c.markName(o) == c.markName(now[i]):
			same = c.same(o, now[i]) && same
			i++
		default:
			same = c.differ(o, nil)
		}
	}
	rows := i > 0 && c.catalogue.Has("rows", c.markName(now[i-1]))
	for _, n := range now[i:] {
		if rows && c.markName(n) == c.markName(now[i-1]) && c.plainRow(n) {
			c.forgive("a row added to a table of cases")
			continue
		}
		if c.catalogue.Has("label", lastName(c.markName(n))) && inert(c.table, n) && !c.chosen("", n.Source()) {
			c.forgive("a title changed, which only people read")
			continue
		}
		same = c.differ(nil, n)
	}
	return same
}

// lastName is a name without the package before it.
func lastName(name string) string { return name[strings.LastIndex(name, ".")+1:] }

// markNarrowed reports whether a mark that expects a failure says now which.
func (c *comparer) markNarrowed(o, n *Node) bool {
	if c.markName(o) != c.markName(n) || !c.catalogue.Has("narrower", c.markName(o)) || len(o.Kids) != 1 || len(n.Kids) < 2 ||
		!inert(c.table, n) {
		return false
	}
	c.forgive("an assertion that demands more of the same")
	return true
}

// reasonGiven reports whether two marks differ in the reason alone for which a test
// is ignored, which people read: in Rust, and where Python names it.
func (c *comparer) reasonGiven(o, n *Node) bool {
	rust := c.table.lang == syntax.Rust && slices.Contains([]string{"ignore", "cfg_attr", "rustversion::attr"}, c.markName(o))
	if !rust && (c.table.lang != syntax.Python || !c.skips(o)) || !slices.Equal(withoutReason(o), withoutReason(n)) {
		return false
	}
	c.forgive("a message changed, which only people read")
	return true
}

// withoutReason are the tokens of a mark without the value of "ignore", where
// that is the mark itself or stands behind its condition.
func withoutReason(n *Node) (out []string) {
	depth := 0
	n.Walk(func(k *Node) bool {
		if k.Is("keyword_argument") && k.Up.Up.Up == n && k.Child("name").Source() == "reason" && k.Child("value").Is("string") &&
			!k.Any(func(k *Node) bool { return k.Is("interpolation") }) {
			return false
		}
		text := k.Is("string_literal", "raw_string_literal")
		if !text && len(k.Kids) > 0 {
			return true
		}
		word := k.Source()
		switch last := len(out) - 1; {
		case word == "(":
			depth++
		case word == ")":
			depth--
		case text && last > 0 && out[last] == "=" && out[last-1] == "ignore" && (last == 1 || depth == 1 && out[last-2] == ","):
			out = out[:last]
			return false
		}
		out = append(out, word)
		return false
	})
	return out
}

// markName is how the catalogue calls a mark: "pytest.mark.skip", "Ignore".
func (c *reader) markName(n *Node) string {
	for _, k := range n.Kids {
		switch {
		case k.Field == "name":
			return k.joined()
		case k.Is("call"):
			if call, ok := c.table.callOf(k); ok {
				return c.table.calleeOf(call)
			}
		case k.Is("identifier", "attribute", "scoped_identifier", "member_expression", "call_expression"):
			if call, ok := c.table.callOf(k); ok {
				return c.table.calleeOf(call)
			}
			return k.joined()
		}
	}
	return ""
}

func (c *reader) skips(mark *Node) bool {
	name := c.markName(mark)
	says := func(words ...string) bool {
		return mark.Any(func(k *Node) bool { return len(k.Kids) == 0 && slices.Contains(words, k.Text) })
	}
	switch {
	case slices.Contains([]string{"should_panic", "ExpectedException"}, lastName(name)):
		return false // the error is what the test demands
	case strings.HasSuffix(name, "xfail") && says("raises", "strict"):
		return false
	case name == "cfg_attr" && (!says("ignore") || says("test", "should_panic")):
		return false
	}
	return c.catalogue.Has("skip", name) || c.catalogue.Has("fails", name)
}

// testRenamed reports whether a test was given another name under which the
// runner finds it too, and which takes no other's place.
func (c *comparer) testRenamed(a, b, old, now *Node) bool {
	from, to := old.Source(), now.Source()
	if kind := c.collectedAs(from); kind != c.collectedAs(to) || c.chosen(from, to) {
		return false
	}
	return c.isTest(a) && c.isTest(b) && c.meant(c.new, to) <= 1 && c.old.names[to] == 0 && c.meant(c.old, from) <= 1 &&
		c.meant(c.new, from) == 0 && !c.used(to) && !c.catalogue.Has("hook", to) && !c.namedAfterTest(a)
}

// meant is how often a file says a name and may mean a test by it: in Java and C#
// a local, or a method of another object, is another's.
func (c *comparer) meant(t *Tree, name string) int {
	count := t.names[name]
	if c.table.lang != syntax.Java && c.table.lang != syntax.CSharp {
		return count
	}
	t.Root.Walk(func(n *Node) bool {
		call, ok := c.table.callOf(n)
		if ok && call.name == name && call.object.Is("identifier") && len(call.callee.Kids) == 0 ||
			n.variable && n.bound != nil && n.Text == name {
			count--
		}
		return true
	})
	return count
}

// collectedAs is the part of a name by which a runner decides what it is: Go's
// prefix, and the underline that Minitest wants.
func (c *reader) collectedAs(name string) string {
	if c.table.lang == syntax.Ruby && strings.HasPrefix(name, "test_") {
		return "test_"
	}
	for _, p := range []string{"Test", "Benchmark", "Fuzz", "Example"} {
		if c.table.lang == syntax.Go && strings.HasPrefix(name, p) {
			return p
		}
	}
	return ""
}

// namedAfterTest reports whether something that a test demands is kept under its name: snapshots, recorded answers.
func (c *comparer) namedAfterTest(n *Node) bool {
	return n.Any(func(k *Node) bool { return len(k.Kids) == 0 && keptByName.MatchString(k.Text) })
}

// keptByName matches the names of tools that keep what is expected in files named
// after tests, and write them where there is none.
var keptByName = lazyregexp.New(`(?i)snapshot|cassette|vcr|approval|\.approved|golden|regression|betamax|polly|baseline|^insta$`)

// isTest reports whether a definition is a test that the runner collects.
func (c *reader) isTest(n *Node) bool {
	marks, _ := c.marks(n)
	for _, m := range marks {
		if name := c.markName(m); c.catalogue.Has("test", name) && !strings.HasPrefix(name, "test*") {
			return true
		}
	}
	name := n.Child("name").Source()
	return c.table.functions[n.Kind] && c.table.testsByName && name != "" && c.catalogue.Has("test", name) && c.collected(name)
}

// collected: Go collects no name whose part after the prefix begins with a small letter.
func (c *reader) collected(name string) bool {
	for _, p := range []string{"Test", "Benchmark", "Fuzz", "Example"} {
		if rest, ok := strings.CutPrefix(name, p); ok {
			return rest == "" || rest[0] < 'a' || rest[0] > 'z'
		}
	}
	return true
}

// chosen reports whether what runs tests may tell two names of one apart.
func (c *comparer) chosen(old, now string) bool { return c.opt.Chosen != nil && c.opt.Chosen(old, now) }

// used reports whether another approved file mentions a name.
func (c *comparer) used(name string) bool { return c.opt.Used != nil && c.opt.Used(name) }
