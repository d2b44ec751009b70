package runner

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"workflow-reviewer/internal/lazyregexp"
)

func textOf(s *syntax.Stmt, call *syntax.CallExpr) string {
	var parts []string
	for _, a := range call.Assigns {
		parts = append(parts, render(a))
	}
	for _, w := range call.Args {
		text := wordText(w)
		if !literalWord(w) {
			text = render(w)
		} else if !bare(w) && strings.ContainsAny(text, " \t\n*?") {
			text = "'" + text + "'"
		}
		parts = append(parts, text)
	}
	for _, d := range s.Redirs {
		parts = append(parts, d.Op.String()+render(d.Word))
		if d.Hdoc != nil {
			parts = append(parts, render(d.Hdoc))
		}
	}
	return strings.Join(parts, " ")
}

// bare reports whether a shell makes more than one word of a word, or none: it
// has a pattern or an expansion outside of quotes.
func bare(w *syntax.Word) bool {
	return slices.ContainsFunc(w.Parts, func(p syntax.WordPart) bool {
		switch x := p.(type) {
		case *syntax.Lit:
			return strings.ContainsAny(x.Value, "*?")
		case *syntax.SglQuoted, *syntax.DblQuoted:
			return false
		default:
			return true
		}
	})
}

func literalWord(w *syntax.Word) bool {
	for n := range syntax.Preorder(w) {
		switch n.(type) {
		case nil, *syntax.Word, *syntax.Lit, *syntax.SglQuoted, *syntax.DblQuoted:
		default:
			return false
		}
	}
	return true
}

func shellArgument(words []value) (string, bool) {
	all := texts(words)
	if path.Base(all[0]) == "eval" {
		return strings.Join(all[1:], " "), len(all) > 1
	}
	for i := 1; i+1 < len(all) && slices.Contains([]string{"sh", "bash", "dash", "zsh"}, path.Base(all[0])); i++ {
		if strings.HasPrefix(all[i], "-") && strings.HasSuffix(all[i], "c") {
			return all[i+1], true
		}
	}
	return "", false
}

func wordText(w *syntax.Word) string { return partsText(w.Parts) }

func partsText(parts []syntax.WordPart) string {
	var b strings.Builder
	for _, p := range parts {
		switch x := p.(type) {
		case *syntax.Lit:
			b.WriteString(strings.NewReplacer("\\\n", "", `\"`, `"`, `\ `, " ", `\\`, `\`).Replace(x.Value))
		case *syntax.SglQuoted:
			b.WriteString(x.Value)
		case *syntax.DblQuoted:
			b.WriteString(partsText(x.Parts))
		default:
			b.WriteString(render(p))
		}
	}
	return b.String()
}

func argsOf(o *option) []value { return o.split(splitWords) }

var quotes = lazyregexp.New(`(?:[^\s"']|"[^"]*"|'[^']*'|["'])+`)

func splitWords(s string) []string {
	var out []string
	for _, w := range quotes.FindAllString(s, -1) {
		out = append(out, strings.NewReplacer(`"`, "", "'", "").Replace(w))
	}
	return out
}

func shellOf(o *option) script {
	var out script
	text := ""
	for i := 0; o != nil && i < len(o.values); i++ {
		if text += o.values[i].text; strings.HasSuffix(text, `\`) && i+1 < len(o.values) {
			text += "\n"
			continue
		}
		if one := oneText.FindStringSubmatch(text); one != nil {
			text = one[1]
		}
		bare := strings.TrimLeft(text, "-! \t")
		s := readAny(posargs.ReplaceAllString(bare, "$1"), o.values[i].line-strings.Count(text, "\n"), shell{errexit: true})
		for j := range s {
			if marks := strings.TrimSpace(text[:len(text)-len(bare)]); marks != "" {
				s[j].lost, s[j].lostLine = "its failure is ignored by "+marks[:1], o.values[i].line
			}
		}
		out, text = append(out, s...), ""
	}
	return out
}

var oneText = lazyregexp.New(`^'([^']*)'$`)

var posargs = lazyregexp.New(`\{posargs:?([^{}]*)\}`)
