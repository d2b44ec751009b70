// Package inlined finds the tests that stand in a source of the implementation, as Rust's do.
package inlined

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/syntax"
)

// Item is a part of a source that belongs to its tests, with its attributes: what is compiled for
// tests alone, and what changes the meaning of assertions or of the whole file.
type Item struct {
	Start, End int    // bytes of the source
	Module     string // names of the modules that it stands in, joined by slashes
	Inner      bool   // it is an attribute of the whole file, at its head
	Frame      bool   // it is the head or the end of a module that holds such parts
}

// Items lists the parts of a Rust source that belong to tests, in their order. A source that does
// not parse is an error: nobody could tell what in it is a test. Nil has none.
func Items(ctx context.Context, src []byte) ([]Item, error) {
	if src == nil {
		return nil, nil
	}
	tree, err := syntax.Parse(ctx, syntax.Rust, src)
	if err != nil {
		return nil, err
	}
	if tree.HasError() {
		return nil, errors.New("it has syntax errors")
	}
	return below(tree.Root(), ""), nil
}

// below lists the items for tests below a node.
func below(n syntax.Node, module string) (out []Item) {
	start, forTests := -1, false
	for _, m := range n.Named() {
		if m.IsComment() {
			continue
		}
		if start < 0 {
			start = m.StartByte()
		}
		item, body := Item{Start: start, End: m.EndByte(), Module: module}, m.Field("body")
		name := m.Field("name").Text()
		switch {
		case m.Is("attribute_item"):
			forTests = forTests || isForTests(m.Text())
			continue
		case m.Is("inner_attribute_item"):
			if item.Inner = module == ""; switchesFile(m.Text()) {
				out = append(out, item)
			}
		case forTests, m.Is("macro_definition") && strings.HasPrefix(name, "assert"):
			out = append(out, item)
		case m.Is("mod_item") && !body.IsZero():
			if inner := below(body, path.Join(module, name)); len(inner) > 0 {
				out = append(out, Item{Start: start, End: body.StartByte() + 1, Frame: true})
				out = append(out, inner...)
				out = append(out, Item{Start: body.EndByte() - 1, End: body.EndByte(), Frame: true})
			}
		}
		start, forTests = -1, false
	}
	return out
}

// switchesFile reports whether an attribute of a whole file decides if it is compiled, or by what
// its tests are run. Lints and features do not.
func switchesFile(text string) bool {
	text = strings.Join(strings.Fields(text), "")
	return strings.HasPrefix(text, "#![cfg(") || strings.HasPrefix(text, "#![test_runner") ||
		strings.HasPrefix(text, "#![cfg_attr(") &&
			(strings.Contains(text, ",cfg(") || strings.Contains(text, "test_runner"))
}

// isForTests reports whether an attribute makes an item a test, or has it compiled for tests alone.
func isForTests(text string) bool {
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
