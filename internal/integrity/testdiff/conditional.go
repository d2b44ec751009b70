package testdiff

import (
	"bytes"
	"path"
	"regexp"

	"workflow-reviewer/internal/textdiff"
)

// directive is a C# line that compiles what follows under a condition, or says
// which conditions hold.
var directive = regexp.MustCompile(`^\s*#\s*(if|elif|else|endif|define|undef)\b`)

// unconditional are two versions of a C# file without its conditional
// compilation, which may stand where no grammar expects it: of each
// condition the first branch remains. ok is false unless both versions have the same
// conditions around the same lines, so that nothing that was compared by syntax
// depends on them.
func unconditional(p Pair) (before, after []byte, ok bool) {
	if path.Ext(p.Path) != ".cs" || path.Ext(p.AfterPath) != ".cs" {
		return nil, nil, false
	}
	before, was := withoutDirectives(p.Before)
	after, is := withoutDirectives(p.After)
	if len(was) == 0 {
		return nil, nil, false
	}
	for _, h := range textdiff.Hunks(p.Before, p.After, 0) {
		for _, l := range h.Lines {
			if l.Op == '-' && was[l.Old] || l.Op == '+' && is[l.New] {
				return nil, nil, false
			}
		}
	}
	return before, after, true
}

// withoutDirectives blanks directives and all branches but the first, and says
// which lines stand under a condition, directives included. Lines and columns
// of the rest stay.
func withoutDirectives(src []byte) (blank []byte, under map[int]bool) {
	blank, under = bytes.Clone(src), map[int]bool{}
	depth, others := 0, 0 // others: at which depth a branch that is not the first began
	line, start := 0, 0
	for start < len(src) {
		end := len(src)
		if n := bytes.IndexByte(src[start:], '\n'); n >= 0 {
			end = start + n
		}
		line++
		word := ""
		if m := directive.FindSubmatch(src[start:end]); m != nil {
			word = string(m[1])
		}
		switch {
		case word == "if":
			depth++
		case (word == "else" || word == "elif") && others == 0:
			others = depth
		}
		if depth > 0 || word != "" {
			under[line] = true
		}
		if word != "" || others > 0 {
			spaces(blank[start:end])
		}
		if word == "endif" {
			if others == depth {
				others = 0
			}
			depth = max(depth-1, 0)
		}
		start = end + 1
	}
	return blank, under
}

func spaces(b []byte) {
	for i := range b {
		if b[i] != '\r' {
			b[i] = ' '
		}
	}
}
