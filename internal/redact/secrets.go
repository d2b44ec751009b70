package redact

import (
	"bytes"
	"context"
	"encoding/base64"
	"slices"
	"strings"
)

// Secret is one that the scanner found in a text.
type Secret struct {
	Rule    string // what kind it is, "github-pat"
	Text    string // the secret itself, which nobody may print
	Line    int    // of the text, from 1
	Generic bool   // its value looks random beside a telling name, and nothing else says so
}

// Secrets lists what the scanner finds in a text of any length, in its order. Tokens that say
// themselves that anybody may have them are none. It ends early with the context.
func Secrets(ctx context.Context, text string) (out []Secret) {
	for line := 0; text != ""; {
		part := text
		if len(part) > maxText {
			part = part[:maxText]
			if end := strings.LastIndexByte(part, '\n'); end >= 0 {
				part = part[:end+1] // a line stays whole if it is no longer than that
			}
		}
		for _, s := range secretsIn(ctx, part) {
			s.Line += line
			out = append(out, s)
		}
		line, text = line+strings.Count(part, "\n"), text[len(part):]
	}
	return out
}

// secretsIn lists what a text of at most maxText bytes holds.
func secretsIn(ctx context.Context, text string) []Secret {
	found, _ := Find(ctx, text) // that the rules can be read is tested
	var out []Secret
	for _, f := range found {
		at := strings.Index(text, f.Secret)
		if at < 0 || isPublic(f.Secret) {
			continue
		}
		line := strings.Count(text[:at], "\n") + 1
		generic := strings.HasPrefix(f.Rule, "generic")
		s := Secret{Rule: f.Rule, Text: f.Secret, Line: line, Generic: generic}
		same := func(o Secret) bool {
			return o.Text == s.Text || strings.Contains(o.Text, s.Text) && o.Line == s.Line
		}
		if i := slices.IndexFunc(out, same); i >= 0 {
			if out[i].Generic && !s.Generic {
				out[i] = s
			}
			continue
		}
		out = append(out, s)
	}
	slices.SortStableFunc(out, func(a, b Secret) int { return a.Line - b.Line })
	return out
}

// isPublic reports whether a token says that anyone may have it, as that of a page for its store
// does, or is that of manuals.
func isPublic(token string) bool {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return false
	}
	payload, _ := base64.RawURLEncoding.DecodeString(parts[1]) // what is no token says nothing
	return bytes.Contains(payload, []byte(`"anon"`)) ||
		bytes.Contains(payload, []byte(`"1234567890"`))
}
