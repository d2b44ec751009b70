package integrity

import (
	"bytes"
	"context"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/integrity/testdiff"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/syntax"
)

// HasInlineTests reports whether an implementation file holds tests itself, as Rust's unit tests
// do.
func HasInlineTests(ctx context.Context, p string, src []byte) bool {
	parts, ok := inlineTests(ctx, p, src)
	return ok && len(parts) > 0
}

// span is a part of a source, in bytes.
type span struct{ start, end int }

// inlineTests are the parts of a Rust source that belong to its tests: what is compiled for tests
// alone, and what changes the meaning of assertions or of the whole file. ok is false if the source
// cannot be parsed.
func inlineTests(ctx context.Context, p string, src []byte) (parts []span, ok bool) {
	if path.Ext(p) != ".rs" || len(src) > syntax.MaxSource {
		return nil, false
	}
	if !bytes.Contains(src, []byte("test")) {
		return nil, true
	}
	tree, err := syntax.Parse(ctx, syntax.Rust, src)
	if err != nil || tree.HasError() {
		return nil, false
	}
	parts = itemsForTests(tree.Root(), nil)
	if !slices.ContainsFunc(parts,
		func(s span) bool { return bytes.Contains(src[s.start:s.end], []byte("test")) }) {
		return nil, true
	}
	return parts, true
}

// itemsForTests lists the items below a node that are there for tests.
func itemsForTests(n syntax.Node, out []span) []span {
	start, forTests := -1, false
	for _, item := range n.Named() {
		switch {
		case item.IsComment():
			continue
		case item.Is("attribute_item"):
			if start < 0 {
				start = item.StartByte()
			}
			forTests = forTests || TestAttribute(item.Text())
			continue
		case item.Is("inner_attribute_item") && SwitchesFile(item.Text()),
			item.Is("macro_definition") && strings.HasPrefix(item.Field("name").Text(), "assert"):
			out = append(out, span{item.StartByte(), item.EndByte()})
		case forTests:
			out = append(out, span{start, item.EndByte()})
		case item.Is("mod_item"):
			out = append(out, moduleForTests(item, start)...)
		}
		start, forTests = -1, false
	}
	return out
}

// moduleForTests lists what a module has for tests, with the module's own head
// and attributes, from start on if there are some, around it.
func moduleForTests(module syntax.Node, start int) []span {
	body := module.Field("body")
	inner := itemsForTests(body, nil)
	if len(inner) == 0 {
		return nil
	}
	if start < 0 {
		start = module.StartByte()
	}
	out := append([]span{{start, body.StartByte() + 1}}, inner...)
	return append(out, span{body.EndByte() - 1, body.EndByte()})
}

// SwitchesFile reports whether an attribute of a whole file decides if it is
// compiled, or by what its tests are run. Lints and features do not.
func SwitchesFile(text string) bool {
	text = strings.Join(strings.Fields(text), "")
	return strings.HasPrefix(text, "#![cfg(") || strings.HasPrefix(text, "#![test_runner") ||
		strings.HasPrefix(text, "#![cfg_attr(") &&
			(strings.Contains(text, ",cfg(") || strings.Contains(text, "test_runner"))
}

// TestAttribute reports whether an attribute makes an item a test, or has it compiled for tests
// alone.
func TestAttribute(text string) bool {
	text = strings.Join(strings.Fields(text), "")
	inner := strings.TrimSuffix(strings.TrimPrefix(text, "#["), "]")
	name, args, _ := strings.Cut(inner, "(")
	if name == "cfg" {
		return strings.Contains(args, "test") && !strings.Contains(args, "not(test)")
	}
	last := name[strings.LastIndex(name, ":")+1:]
	return slices.Contains(
		[]string{"test", "rstest", "test_case", "quickcheck", "proptest", "wasm_bindgen_test"},
		last,
	)
}

// blanked is a source with everything but the parts replaced by spaces, so that lines keep their
// numbers.
func blanked(src []byte, parts []span) []byte {
	out := make([]byte, 0, len(src))
	for _, b := range src {
		if b != '\n' {
			b = ' '
		}
		out = append(out, b)
	}
	for _, s := range parts {
		copy(out[s.start:s.end], src[s.start:s.end])
	}
	return out
}

// inline compares the tests in an implementation file, wherever that moved; the
// rest of it may change. It returns nil where there is nothing left to compare.
func (c *checker) inline(ctx context.Context, e *entry, after []byte) *testdiff.Pair {
	if after == nil {
		after = c.renamed(e)
	}
	was, ok := inlineTests(ctx, e.path, e.before)
	if !ok || len(was) == 0 {
		return &testdiff.Pair{Path: e.path, Role: e.Role, Before: e.before, After: after}
	}
	is, ok := inlineTests(ctx, e.path, after)
	if after != nil && !ok {
		if !slices.ContainsFunc(was,
			func(s span) bool { return !bytes.Contains(after, e.before[s.start:s.end]) }) {
			return nil
		}
		c.out.NotAnalysed = append(c.out.NotAnalysed,
			e.path+": it cannot be parsed, and the tests in it do not stand there as they were")
		c.violate(firstDifference(violation.FileChanged, e.path, blanked(e.before, was), after,
			"Approved tests in an implementation file changed: it cannot be parsed"))
		return nil
	}
	p := &testdiff.Pair{
		Path:      e.path,
		Role:      e.Role,
		Before:    blanked(e.before, was),
		AfterPath: e.now,
	}
	if after != nil {
		p.After = blanked(after, is)
		if bytes.Equal(bytes.TrimSpace(p.Before), bytes.TrimSpace(p.After)) {
			return nil
		}
	}
	return p
}

// renamed is the content of the file that a change made of another, nil if it is gone.
func (c *checker) renamed(e *entry) []byte {
	for _, f := range c.Set.Files {
		if f.Status != change.Renamed || f.OldPath != e.path || !sameKind(f.Mode, e.Mode) {
			continue
		}
		data, err := content(c.Set.HeadTree, f.Path)
		if err != nil || data == nil {
			return nil
		}
		e.now = f.Path
		return data
	}
	return nil
}
