// Package redact takes secrets out of text that came from a model or a
// network before it is written anywhere: those the program was given, in the
// forms in which they travel, and whatever the secret scanner recognises.
package redact

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/zricethezav/gitleaks/v8/detect"
)

const (
	// maxText is the longest text that is looked at, in bytes; what lies
	// beyond is withheld, never passed on unseen.
	maxText = 4 << 20
	// maxScan bounds the scanner's time for one text.
	maxScan = 10 * time.Second
)

// Redactor replaces secrets. It is safe for concurrent use.
type Redactor struct {
	known   *strings.Replacer
	scanner func() (*detect.Detector, error)
}

// scanner loads the rules of gitleaks once in the life of the process: it
// costs some 50 ms, and the library keeps its configuration in a global.
var scanner = sync.OnceValues(func() (*detect.Detector, error) {
	d, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		return nil, fmt.Errorf("load the secret scanner's rules: %w", err)
	}
	d.IgnoreGitleaksAllow = true // the text is hostile: it may not excuse itself
	return d, nil
})

// New returns a Redactor that knows the secrets given, each also line by line,
// base64 and URL encoded. Empty and very short ones are ignored.
func New(secrets ...string) *Redactor {
	return &Redactor{known: replacer(secrets), scanner: scanner}
}

// Prepare loads the scanner's rules, which the first Text would else wait for.
func (r *Redactor) Prepare() { _, _ = r.scanner() } // Text reports the error

// Text returns s with every secret replaced by "[redacted: <rule>]". Text that
// cannot be scanned, or not to its end, is withheld with a note saying so.
func (r *Redactor) Text(s string) string {
	if s == "" {
		return ""
	}
	s, withheld := cut(r.known.Replace(s))
	d, err := r.scanner()
	if err != nil {
		return "[withheld: the secret scanner did not start]"
	}
	ctx, cancel := context.WithTimeout(context.Background(), maxScan)
	defer cancel()
	found := d.DetectContext(ctx, detect.Fragment{Raw: s}) //nolint:staticcheck // DetectContext takes no other type
	if ctx.Err() != nil {
		return "[withheld: the secret scanner did not finish]"
	}
	// The longest first: a short finding may be a part of a long one.
	sort.SliceStable(found, func(i, j int) bool { return len(found[i].Secret) > len(found[j].Secret) })
	for _, f := range found {
		if len(f.Secret) >= minSecret {
			s = strings.ReplaceAll(s, f.Secret, "[redacted: "+f.RuleID+"]")
		}
	}
	return s + withheld
}

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
