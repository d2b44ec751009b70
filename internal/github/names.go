package github

import (
	"fmt"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/markdown"
)

// malformed is the error of a field of an event: missing, or not of the form that is wanted.
func malformed(field, value, want string) error {
	if value == "" {
		return fmt.Errorf("%s is missing", field)
	}
	return fmt.Errorf("%s is %s, not %s", field, markdown.Line(fmt.Sprintf("%q", value), 120), want)
}

func branchOf(ref string) string { return strings.TrimPrefix(ref, "refs/heads/") }

// validSHA reports whether a text is a whole commit id in lower case, and not the one of zeros that
// stands for none.
func validSHA(s string) bool {
	if len(s) != 40 {
		return false
	}
	for i := range len(s) {
		if !strings.ContainsRune("0123456789abcdef", rune(s[i])) {
			return false
		}
	}
	return !zeroSHA(s)
}

func zeroSHA(s string) bool { return s == strings.Repeat("0", 40) }

var (
	nameRE      = lazyregexp.New(`^[A-Za-z0-9._-]{1,100}$`)
	loginRE     = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_-]{0,99}(\[bot\])?$`)
	badBranchRE = lazyregexp.New(
		`[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|^[-/.]|/\.|[/.]$|\.lock(/|$)`,
	)
)

// splitRepo splits owner/name.
func splitRepo(full string) (owner, name string, ok bool) {
	owner, name, ok = strings.Cut(full, "/")
	ok = ok && nameRE.MatchString(owner) && nameRE.MatchString(name) &&
		strings.Trim(owner, ".") != "" &&
		strings.Trim(name, ".") != ""
	return owner, name, ok
}

// validBranch follows git check-ref-format, with a length that fits a file name.
func validBranch(s string) bool {
	return s != "" && s != "@" && len(s) <= 255 && !badBranchRE.MatchString(s)
}
