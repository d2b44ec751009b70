package syntax

import (
	"bytes"
	"context"
	"regexp"
	"slices"
)

// lagging is valid syntax that a grammar does not know. Where a source does not parse, the parser
// is shown another text of the same length, and the tree stands for the source as it is.
type lagging struct {
	languages []Language
	// pattern's group is what the parser is shown otherwise: blanks, which
	// Tree.Masked lists, or, of a name, another first letter, or all others.
	pattern     *regexp.Regexp
	name, whole bool
	// within are the kinds of node that the group must be part of, so that
	// nothing but what the entry is about is shown otherwise.
	within []string
}

// laggings is what the newest versions of the grammars lag behind in. Each entry is small, and
// whole in itself: what it hides is listed, what it renames stays a name.
func laggings() []lagging {
	ecma := []Language{TypeScript, TSX, JavaScript}
	return []lagging{
		{ // interface A<in T, out U>: variance annotations
			languages: []Language{
				TypeScript,
				TSX,
			}, within: []string{"type_parameters", "type_parameter"},
			pattern: regexp.MustCompile(
				`(?s)[<,](?:\s|/\*.*?\*/)*(?:const\s+)?((?:(?:in|out)\s+)+)[\pL_$]`,
			),
		},
		{ // export type * from "a"
			languages: []Language{TypeScript, TSX}, within: []string{"export_statement"},
			pattern: regexp.MustCompile(`(?m)^[ \t]*export\s+(type)\s*\*`),
		},
		{ // a member without a semicolon before one called in_progress: taken for the operator in
			languages: ecma, name: true, within: []string{"property_identifier", "identifier"},
			pattern: regexp.MustCompile(`(?m)^[ \t]*(in(?:stanceof)?(?:[\d_$][\pL\d_$]*|\??:))`),
		},
		{ // <a href="?a=1&b=2">Terms & Conditions</a>: an ampersand that begins no entity
			languages: []Language{
				TSX,
				JavaScript,
			}, name: true, within: []string{"jsx_text", "string_fragment"},
			pattern: regexp.MustCompile(`[^&](&)(?:[^&=#\w]|\w+[^\w;])`),
		},
		{ // import("zod").infer<typeof S>: a type of a module with parameters
			languages: []Language{
				TypeScript,
				TSX,
			}, name: true, whole: true, within: []string{"type_identifier"},
			pattern: regexp.MustCompile(`\b(import\(\s*(?:"[^"\n]*"|'[^'\n]*')\s*\)\.[\w$.]+)\s*<`),
		},
		{ // f(&raw): a variable of the name that &raw const has
			languages: []Language{Rust}, name: true, within: []string{"identifier"},
			pattern: regexp.MustCompile(`&(raw)\s*[^\s\w]`),
		},
		{ // str![…]: a macro that is called as a primitive type
			languages: []Language{Rust}, name: true, within: []string{"identifier"},
			pattern: regexp.MustCompile(`\b(str|char|bool|[iuf](?:8|16|32|64|128|size))!\s*[\[({]`),
		},
	}
}

// maxShown bounds what is shown otherwise in one source.
const maxShown = 2_000

// shown is one place of a source that the parser is shown otherwise.
type shown struct {
	Range
	rule lagging
}

// parseLagging parses a source, and once more without what its grammar lags behind in, if that has
// no error.
func parseLagging(ctx context.Context, lang Language, src []byte) (*Tree, error) {
	tree, err := parseNative(ctx, lang, src, src)
	if err != nil || !tree.HasError() {
		return tree, err
	}
	places := placesOf(lang, src)
	if len(places) == 0 || len(places) > maxShown {
		return tree, nil
	}
	again, err := parseNative(ctx, lang, src, show(src, places))
	if err != nil {
		return tree, ctx.Err()
	}
	isWrong := func(p shown) bool { return !p.fits(again) }
	if kept := slices.DeleteFunc(slices.Clone(places), isWrong); len(kept) < len(places) {
		places = kept
		if again, err = parseNative(ctx, lang, src, show(src, places)); err != nil {
			return tree, ctx.Err()
		}
	}
	if again.HasError() ||
		slices.ContainsFunc(places, func(p shown) bool { return !p.fits(again) }) {
		return tree, nil
	}
	for _, p := range places {
		if !p.rule.name {
			again.masked = append(again.masked, p.Range)
		}
	}
	return again, nil
}

// placesOf lists, in order, where a source has what its grammar lags behind in.
func placesOf(lang Language, src []byte) []shown {
	var out []shown
	for _, rule := range laggings() {
		if !slices.Contains(rule.languages, lang) {
			continue
		}
		for _, m := range rule.pattern.FindAllSubmatchIndex(src, maxShown+1) {
			out = append(out, shown{Range{m[2], m[3]}, rule})
		}
	}
	slices.SortFunc(out, func(a, b shown) int { return a.Start - b.Start })
	return out
}

// show is the source as the parser is to see it, with every place replaced by as many bytes. Line
// ends stay.
func show(src []byte, places []shown) []byte {
	out := slices.Clone(src)
	for _, p := range places {
		if p.rule.name {
			out[p.Start] = 'X'
			if p.rule.whole {
				copy(out[p.Start:p.End], bytes.Repeat([]byte("X"), p.End-p.Start))
			}
			continue
		}
		for i := p.Start; i < p.End; i++ {
			if out[i] != '\n' && out[i] != '\r' {
				out[i] = ' '
			}
		}
	}
	return out
}

// fits reports whether a place is part of what its rule is about.
func (p shown) fits(t *Tree) bool {
	innermost := t.Root()
	t.Root().Walk(func(n Node) bool {
		inside := n.StartByte() <= p.Start && p.Start < n.EndByte()
		if inside {
			innermost = n
		}
		return inside
	})
	return innermost.Is(p.rule.within...)
}
