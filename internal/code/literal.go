package code

import (
	"math/big"
	"strconv"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// Type is the type of a literal.
type Type uint8

// The types of literals.
const (
	None   Type = iota // null, nil, undefined
	Bool               // Text is "true" or "false"
	Number             // Text is the number in its shortest decimal form
	String             // Text is the string itself, escapes resolved; also symbols
	Regex              // Text as written
)

// Value is the value of a literal, spelled alike in all languages.
type Value struct {
	Type Type
	Text string
}

// True reports whether the value is the Boolean true.
func (v Value) True() bool { return v == Value{Bool, "true"} }

// IsZero reports whether the value is an exit status of success, or nothing.
func (v Value) IsZero() bool { return v == Value{Number, "0"} || v.Type == None }

// suffix is what languages put behind a number to say its type.
var suffix = lazyregexp.New(`(?:[uif](?:8|16|32|64|128|size)|[ulfdmnrj])+$`)

func number(text string) (Value, bool) {
	t := strings.ReplaceAll(strings.ToLower(text), "_", "")
	base := 10
	if len(t) > 1 && t[0] == '0' && strings.ContainsRune("xbo", rune(t[1])) {
		base, t = 0, strings.TrimRight(t, "uln")
	} else if cut := suffix.ReplaceAllString(t, ""); cut != "" {
		t = cut
	}
	if len(t) > 400 {
		return Value{}, false
	}
	if i, ok := new(big.Int).SetString(t, base); ok {
		return Value{Number, i.String()}, true
	}
	f, err := strconv.ParseFloat(t, 64)
	if err != nil {
		return Value{}, false
	}
	return Value{Number, strconv.FormatFloat(f, 'g', -1, 64)}, true
}

// text is the content of a string literal without its quotes and prefix.
func text(n syntax.Node) string {
	s := n.Text()
	open := strings.IndexAny(s, "\"'`")
	if open < 0 || open > 4 {
		return strings.TrimPrefix(s, ":")
	}
	raw := strings.ContainsAny(s[:open], "rR@") || s[open] == '`'
	s = strings.TrimRight(s[open:], "#")
	switch {
	case len(s) >= 6 && (strings.HasPrefix(s, `"""`) || strings.HasPrefix(s, `'''`)):
		s = s[3 : len(s)-3]
	case len(s) >= 2:
		s = s[1 : len(s)-1]
	}
	if raw || !strings.Contains(s, `\`) {
		return s
	}
	return unescape(s)
}

// unescape resolves the escapes that the languages share; others stay.
func unescape(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		if s[0] != '\\' || len(s) == 1 {
			b.WriteByte(s[0])
			s = s[1:]
			continue
		}
		quote := byte(0)
		if s[1] == '"' || s[1] == '\'' {
			quote = s[1]
		}
		r, multibyte, tail, err := strconv.UnquoteChar(braces(s), quote)
		switch {
		case err != nil && s[1] == '\n': // a line continued
			s = s[2:]
		case err != nil:
			b.WriteString(s[1:2])
			s = s[2:]
		case r < 0x80 || !multibyte:
			b.WriteByte(byte(r)) //nolint:gosec // a byte by the condition
			s = tail
		default:
			b.WriteRune(r)
			s = tail
		}
	}
	return b.String()
}

// braces rewrites a leading \u{e9} as \U000000e9.
func braces(s string) string {
	if !strings.HasPrefix(s, `\u{`) {
		return s
	}
	digits, rest, ok := strings.Cut(s[3:], "}")
	if !ok || len(digits) > 8 || digits == "" {
		return s
	}
	return `\U` + strings.Repeat("0", 8-len(digits)) + digits + rest
}

// ParseNumber reads a number as the languages write it.
func ParseNumber(text string) (Value, bool) {
	minus := strings.HasPrefix(text, "-")
	v, ok := number(strings.TrimPrefix(text, "-"))
	if ok && minus && v.Text != "0" {
		v.Text = "-" + v.Text
	}
	return v, ok
}
