package kernel

import (
	"slices"
	"strings"
)

// suiteRewritten forgives what two tests or suites that are calls differ in besides their bodies: the title, which only
// people read, and ".skip", ".only" or the like that is gone. A title counts where something is kept under it.
func (c *comparer) suiteRewritten(a, b *Node) (used, same bool) {
	old, ok := c.table.callOf(a)
	now, ok2 := c.table.callOf(b)
	if !ok || !ok2 || a.Field != b.Field || len(old.args) != len(now.args) && c.table.calleeOf(old) == c.table.calleeOf(now) {
		return false, false
	}
	from, to := c.table.calleeOf(old), c.table.calleeOf(now)
	if from == to {
		if !c.holdsTests(to) || c.namedAfterTest(a) || strings.Contains(to, "shared_") || c.foreign(to) {
			return false, false
		}
		return c.titleChanged(old, now)
	}
	if !c.catalogue.Has("skip", from) || !c.holdsTests(to) || c.catalogue.Has("skip", to) || unskipped(from) != to {
		return false, false
	}
	ok = c.attempt(func() bool {
		from, to := old.args, now.args
		if len(from) > 0 && len(to) > 0 && isTitle(from[0]) && isTitle(to[0]) {
			from, to = from[1:], to[1:]
		}
		return c.sameAll(from, to) && c.sameBlock(old, now)
	})
	if ok {
		c.forgive("a skip, expected failure or focus removed")
	}
	return ok, ok
}

// holdsTests reports whether a callee makes a test or a suite. One that the file defines itself is something else.
func (c *reader) holdsTests(callee string) bool {
	root, _, _ := strings.Cut(callee, ".")
	return (c.catalogue.Lists("test", callee) || c.catalogue.Lists("suite", callee)) && !c.declared[strings.TrimSuffix(root, "()")]
}

// foreign reports whether the file takes what a callee begins with from another
// file, or makes it: what its text is for is not known then.
func (c *comparer) foreign(callee string) bool {
	root, _, _ := strings.Cut(strings.TrimSuffix(callee, "()"), ".")
	return c.old.Root.Any(func(n *Node) bool {
		switch {
		case c.table.imports[n.Kind] && n.Child("source") != nil:
			im := c.old.importOf(n)
			return strings.HasPrefix(im.module, ".") && slices.Contains(im.binds, root)
		case n.Is("variable_declarator"):
			return n.Child("name").Any(func(k *Node) bool { return len(k.Kids) == 0 && k.Text == root }) &&
				!(c.requires(n.Child("value")) && !strings.Contains(n.Child("value").Source(), `"."`) &&
					!strings.Contains(n.Child("value").joined(), `"./`) && !strings.Contains(n.Child("value").joined(), `"../`))
		}
		return false
	})
}

// tags are the words of a title by which runners choose tests.
func tags(title *Node) []string {
	all := strings.Fields(strings.Trim(title.Source(), "\"'` "))
	return slices.DeleteFunc(all, func(w string) bool { return !strings.HasPrefix(w, "@") })
}

// titleChanged compares two calls of one callee but for the text that they begin with.
func (c *comparer) titleChanged(old, now call) (used, same bool) {
	if len(old.args) == 0 || !isTitle(old.args[0]) || !isTitle(now.args[0]) || len(old.args) < 2 && old.block == nil {
		return false, false
	}
	if old.args[0].hash == now.args[0].hash || !slices.Equal(tags(old.args[0]), tags(now.args[0])) ||
		c.chosen(old.args[0].Source(), now.args[0].Source()) {
		return false, false
	}
	c.forgive("a title changed, which only people read")
	same = old.object == nil || c.same(old.object, now.object)
	for i := 1; i < len(old.args); i++ {
		same = c.same(old.args[i], now.args[i]) && same
	}
	switch {
	case (old.block == nil) != (now.block == nil):
		same = c.differ(old.node, now.node)
	case old.block != nil:
		same = c.same(old.block, now.block) && same
	}
	if old.callee.hash != now.callee.hash {
		same = c.same(old.callee, now.callee) && same
	}
	return true, same
}

// isTitle reports whether an argument is a plain text.
func isTitle(n *Node) bool {
	made := n.Any(func(k *Node) bool { return k.Is("interpolation", "template_substitution") })
	return n.Is("interpreted_string_literal") || n.Is("string", "template_string") && !made
}

// unskipped is the callee that remains of one that skips or focuses.
func unskipped(callee string) string {
	for _, part := range []string{".skip", ".only", ".todo", ".failing", ".fails", ".fixme"} {
		if before, after, ok := strings.Cut(callee, part); ok {
			return before + after
		}
	}
	switch callee {
	case "xit", "xtest", "xdescribe", "xcontext", "xspecify", "xexample", "fit", "fdescribe", "fcontext", "fspecify", "fexample":
		return callee[1:]
	}
	return callee
}
