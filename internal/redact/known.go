package redact

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// minSecret is the shortest secret that is replaced, in bytes. A shorter one would tear holes into
// ordinary words.
const minSecret = 6

// minFragment is the least number of consecutive bytes of a secret that are replaced where the rest
// was cut off. Less may be no more than the prefix that all keys of a kind share, such as
// "sk-proj-" or "github_pat_".
const minFragment = 12

const knownMark = "[redacted: known-secret]"

// known replaces the secrets that the program was given, and what is left of them where a text was
// cut, broken into lines or torn apart by what nobody sees.
type known struct {
	whole     *strings.Replacer
	fragments map[string]bool // every minFragment consecutive bytes of them, joined
}

// Replace returns s without the secrets.
func (k known) Replace(s string) string {
	s = k.whole.Replace(s)
	found := k.find(joined(s))
	if found == nil {
		return s
	}
	var b strings.Builder
	kept, at := 0, offsets(s)
	for _, f := range found {
		b.WriteString(s[kept:at[f.start]] + knownMark)
		kept = at[f.end-1] + 1
	}
	return b.String() + s[kept:]
}

// span is the bytes of a text from start to before end.
type span struct{ start, end int }

// find lists where a joined text holds fragments, those that overlap as one.
func (k known) find(text string) (found []span) {
	for i := 0; i+minFragment <= len(text); i++ {
		if !k.fragments[text[i:i+minFragment]] {
			continue
		}
		end := i + minFragment
		for end < len(text) && k.fragments[text[end+1-minFragment:end+1]] {
			end++
		}
		found = append(found, span{i, end})
		i = end - 1
	}
	return found
}

// joined is a text without white space and without characters that nobody sees.
func joined(s string) string {
	return strings.Map(func(r rune) rune {
		if separates(r) {
			return -1
		}
		return r
	}, s)
}

func separates(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}

// offsets are where the bytes of joined(s) stand in s.
func offsets(s string) (at []int) {
	for i, r := range s {
		if separates(r) {
			continue
		}
		for n := range utf8.RuneLen(r) { // of a byte that is no UTF-8 that of the sign in its place
			at = append(at, min(i+n, len(s)-1))
		}
	}
	return at
}

// newKnown prepares the replacement of secrets in all their forms. Forms shorter than minSecret are
// left out, since they would replace ordinary text. Fragments of minFragment bytes find what a cut
// left of a secret.
func newKnown(secrets []string) known {
	seen := map[string]bool{}
	var forms []string
	for _, s := range secrets {
		for _, f := range variants(s) {
			if len(f) >= minSecret && !seen[f] {
				seen[f] = true
				forms = append(forms, f)
			}
		}
	}
	// A Replacer tries its pairs in order: the longest form must come first.
	sort.SliceStable(forms, func(i, j int) bool { return len(forms[i]) > len(forms[j]) })
	var pairs []string
	fragments := map[string]bool{}
	for _, f := range forms {
		pairs = append(pairs, f, knownMark)
		f = joined(f)
		for i := 0; i+minFragment <= len(f); i++ {
			fragments[f[i:i+minFragment]] = true
		}
	}
	return known{strings.NewReplacer(pairs...), fragments}
}

// variants lists the forms in which a secret may show up in a text.
func variants(secret string) []string {
	parts := []string{secret, strings.TrimSpace(secret)}
	if lines := strings.Split(secret, "\n"); len(lines) > 1 {
		for _, l := range lines {
			parts = append(parts, strings.TrimSpace(l))
		}
	}
	var out []string
	for _, p := range parts {
		if len(p) < minSecret {
			continue
		}
		digits := hex.EncodeToString([]byte(p))
		out = append(out, p, url.QueryEscape(p), url.PathEscape(p), digits, strings.ToUpper(digits))
		out = append(out, base64Forms(p)...)
	}
	return out
}

// base64Forms are what stays of the secret in the base64 of any text that contains it, at each of
// the three offsets, less the characters that also depend on its neighbours.
func base64Forms(s string) []string {
	var out []string
	for offset := range 3 {
		padded := strings.Repeat("\x00", offset) + s
		first := (offset*8 + 5) / 6
		last := len(padded) * 8 / 6
		for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			if f := enc.EncodeToString([]byte(padded)); last-first >= 8 {
				out = append(out, f[first:last])
			}
		}
	}
	return out
}
