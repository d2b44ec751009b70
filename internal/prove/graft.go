package prove

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/inlined"
	"workflow-reviewer/internal/syntax"
)

// graft is a Rust source as it is now, with the tests in it as they were: items behind #[test] and
// #[cfg(test)], switches of the whole file such as #![cfg(…)], macros named like assertions, and
// examples in comments. The bytes of now are returned where these are the same. A version that does
// not parse is an error: nobody could tell what in it is a test.
func graft(ctx context.Context, was, now []byte) ([]byte, error) {
	a, err := items(ctx, was)
	if err != nil {
		return nil, fmt.Errorf("the approved version: %w", err)
	}
	b, err := items(ctx, now)
	if err != nil {
		return nil, fmt.Errorf("the head's version: %w", err)
	}
	text := func(src []byte, items []inlined.Item) (out []string) {
		for _, i := range items {
			words := strings.Fields(string(src[i.Start:i.End]))
			out = append(out, i.Module+"\x00"+strings.Join(words, " "))
		}
		return out
	}
	examples := missingExamples(was, now)
	if slices.Equal(text(was, a), text(now, b)) {
		return append(slices.Clone(now), examples...), nil
	}
	out := slices.Clone(now)
	for _, i := range slices.Backward(b) {
		out = slices.Delete(out, i.Start, i.End)
	}
	for _, i := range a {
		if out, err = insert(ctx, out, i, was[i.Start:i.End]); err != nil {
			return nil, err
		}
	}
	return append(out, examples...), nil
}

// items are the parts of a Rust source that are put into another one.
func items(ctx context.Context, src []byte) ([]inlined.Item, error) {
	all, err := inlined.Items(ctx, src)
	return slices.DeleteFunc(all, func(i inlined.Item) bool { return i.Frame }), err
}

// missingExamples are the examples in comments of was, which rustdoc runs as tests, that now does
// not have: each as the comment of a module of its own, since what it stood at may be gone.
func missingExamples(was, now []byte) (out []byte) {
	has := examplesIn(now)
	for n, e := range examplesIn(was) {
		if slices.Contains(has, e) {
			continue
		}
		for line := range strings.Lines(e) {
			out = append(out, "\n/// "+strings.TrimSuffix(line, "\n")...)
		}
		out = fmt.Appendf(out, "\n#[doc(hidden)]\nmod approved_example_%d {}\n", n)
	}
	return out
}

// examplesIn are the blocks of code in documentation comments, with their fences.
func examplesIn(src []byte) (out []string) {
	block := ""
	for line := range strings.Lines(string(src)) {
		line = strings.TrimSpace(line)
		text, outer := strings.CutPrefix(line, "///")
		if !outer {
			var inner bool
			if text, inner = strings.CutPrefix(line, "//!"); !inner {
				block = ""
				continue
			}
		}
		text = strings.TrimPrefix(text, " ")
		fence := strings.HasPrefix(strings.TrimSpace(text), "```")
		switch {
		case block == "" && !fence:
		case block != "" && fence:
			out, block = append(out, block+text+"\n"), ""
		default:
			block += text + "\n"
		}
	}
	return out
}

// insert puts an item into the module of a source that it stood in, at the end. A module that is
// gone is made, and sees what its parent has.
func insert(ctx context.Context, src []byte, i inlined.Item, text []byte) ([]byte, error) {
	line := slices.Concat([]byte("\n"), text, []byte("\n"))
	if i.Inner {
		return slices.Concat(text, []byte("\n"), src), nil
	}
	if i.Module == "" {
		return append(src, line...), nil
	}
	tree, err := syntax.Parse(ctx, syntax.Rust, src)
	if err != nil {
		return nil, err
	}
	for m := range tree.All("mod_item") {
		if body := m.Field("body"); !body.IsZero() && moduleOf(m) == i.Module {
			return slices.Insert(src, body.EndByte()-1, line...), nil
		}
	}
	open, end := "", ""
	for _, name := range strings.Split(i.Module, "/") {
		open += "mod " + name + " { use super::*;\n"
		end += "}\n"
	}
	return slices.Concat(src, []byte("\n"+open), text, []byte("\n"+end)), nil
}

// moduleOf is where the body of a module is.
func moduleOf(m syntax.Node) string {
	at := m.Field("name").Text()
	for up := m.Up("mod_item"); !up.IsZero(); up = up.Up("mod_item") {
		at = path.Join(up.Field("name").Text(), at)
	}
	return at
}
