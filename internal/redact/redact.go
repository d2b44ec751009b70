// Package redact takes secrets out of text that came from a model or a network before it is written
// anywhere: those the program was given, in the forms in which they travel, and whatever the secret
// scanner recognises.
package redact

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	// maxText is the longest text that is looked at, in bytes; what lies beyond is withheld, never
	// passed on unseen.
	maxText = 4 << 20
	// maxScan bounds the scanner's time for one text.
	maxScan = 10 * time.Second
)

// Redactor replaces secrets. It is safe for concurrent use.
type Redactor struct {
	known known
	rules func() (*ruleset, error)
}

// New returns a Redactor that knows the secrets given, each also line by line,
// base64 and URL encoded, and by what a cut leaves of each. Empty and very short ones are ignored.
func New(secrets ...string) *Redactor {
	return &Redactor{known: newKnown(secrets), rules: rules}
}

// Prepare reads the rules, which the first Text would else do.
func (r *Redactor) Prepare() { _, _ = r.rules() } // Text reports the error

// Text returns s with every secret replaced by "[redacted: <rule>]". Text that
// cannot be scanned, or not to its end, is withheld with a note saying so.
func (r *Redactor) Text(s string) string {
	if s == "" {
		return ""
	}
	s, withheld := cut(r.known.Replace(s))
	rs, err := r.rules()
	if err != nil {
		return "[withheld: the secret scanner did not start]"
	}
	ctx, cancel := context.WithTimeout(context.Background(), maxScan)
	defer cancel()
	found := rs.find(ctx, s)
	if ctx.Err() != nil {
		return "[withheld: the secret scanner did not finish]"
	}
	// The longest first: a short finding may be a part of a long one. Of two
	// rules that found the same, the one that knows its kind names it.
	slices.SortStableFunc(found, func(a, b Finding) int {
		return cmp.Or(
			len(b.Secret)-len(a.Secret),
			strings.Count(a.Rule, "generic")-strings.Count(b.Rule, "generic"),
		)
	})
	for _, f := range found {
		if len(f.Secret) >= minSecret {
			s = strings.ReplaceAll(s, f.Secret, "[redacted: "+f.Rule+"]")
		}
	}
	return s + withheld
}

// cut shortens a text to maxText bytes, at a rune's beginning, and says in the note how much was
// not scanned. The note is empty if nothing was cut.
func cut(s string) (kept, note string) {
	if len(s) <= maxText {
		return s, ""
	}
	n := maxText
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n], fmt.Sprintf("\n[withheld: %d more bytes were not scanned for secrets]", len(s)-n)
}
