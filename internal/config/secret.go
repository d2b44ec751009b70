package config

import (
	"errors"
	"fmt"
	"strings"
)

// Secret is a text that must not be printed. Every way of formatting or
// encoding it gives "***"; only Reveal gives the text. The zero value is empty.
type Secret struct {
	// A pointer, because fmt prints an unexported field's value without asking
	// its String method, but of a nested pointer only the address.
	value *string
}

const masked = "***"

// parseSecret reads a key or token, which is one word. Its errors never hold it.
func parseSecret(s string) (Secret, error) {
	for _, prefix := range []string{
		"Bearer ", "token ", "Authorization:", "Api-Key:", "OPENAI_API_KEY=", "${{",
	} {
		if len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix) {
			return Secret{}, fmt.Errorf("begins with %q; pass the key or token alone", prefix)
		}
	}
	foreign := func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune("\"'`", r) }
	if strings.ContainsFunc(s, foreign) {
		return Secret{}, errors.New(
			"holds white space, quotes or other characters that no key or token has; pass it " +
				"alone, on one line",
		)
	}
	return NewSecret(s), nil
}

// NewSecret wraps a text.
func NewSecret(s string) Secret {
	if s == "" {
		return Secret{}
	}
	return Secret{value: &s}
}

// Reveal returns the text itself. Call it only where the secret is used.
func (s Secret) Reveal() string {
	if s.value == nil {
		return ""
	}
	return *s.value
}

// IsEmpty reports whether there is no text.
func (s Secret) IsEmpty() bool { return s.value == nil }

// Equal reports whether both hold the same text.
func (s Secret) Equal(o Secret) bool { return s.Reveal() == o.Reveal() }

// String implements fmt.Stringer: "***", or nothing for an empty secret.
func (s Secret) String() string {
	if s.IsEmpty() {
		return ""
	}
	return masked
}

// GoString implements fmt.GoStringer like String.
func (s Secret) GoString() string { return s.String() }

// MarshalText implements encoding.TextMarshaler like String, for JSON and YAML.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
