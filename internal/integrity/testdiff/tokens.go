package testdiff

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

func equalTokens(a, b []string) bool { return slices.Equal(a, b) }

// contains reports whether part stands in whole without a gap.
func contains(whole, part []string) bool { return index(whole, part) >= 0 }

func index(whole, part []string) int {
	if len(part) == 0 {
		return 0
	}
	for i := 0; i+len(part) <= len(whole); i++ {
		if whole[i] == part[0] && slices.Equal(whole[i:i+len(part)], part) {
			return i
		}
	}
	return -1
}

// isName reports whether a token is an identifier or keyword.
func isName(token string) bool {
	r, _ := utf8.DecodeRuneInString(token)
	return r == '_' || r == '$' || r == '@' || unicode.IsLetter(r)
}

// isString reports whether a token is a string or pattern literal.
func isString(token string) bool {
	t := strings.TrimLeft(token, "rRbBuUfFlL@$#:")
	return t != "" && strings.IndexByte("\"'`", t[0]) >= 0 || len(token) > 1 && token[0] == '/' && strings.LastIndexByte(token, '/') > 0
}

// isLiteral reports whether tokens are constants alone.
func isLiteral(tokens []string) bool {
	for _, t := range tokens {
		if isName(t) && !isWord(t) && !isString(t) {
			return false
		}
	}
	return len(tokens) > 0
}

// isWord reports whether a name is a constant of some language.
func isWord(t string) bool {
	switch t {
	case "true", "false", "True", "False", "None", "null", "nil", "undefined", "NaN", "Infinity":
		return true
	default:
		return false
	}
}

func isNull(tokens []string) bool {
	if len(tokens) != 1 {
		return false
	}
	switch tokens[0] {
	case "None", "null", "nil", "undefined":
		return true
	default:
		return false
	}
}

// isFalse reports whether a literal is false, zero, empty or null.
func isFalse(tokens []string) bool {
	switch joined(tokens) {
	case "false", "False", "0", "0.0", `""`, "''", "``", "[\x00]", "{\x00}", "(\x00)":
		return true
	default:
		return isNull(tokens)
	}
}

// content is the text in a string literal; false if it is none.
func content(tokens []string) (string, bool) {
	if len(tokens) != 1 || !isString(tokens[0]) {
		return "", false
	}
	t := strings.TrimLeft(tokens[0], "rRbBuUfFlL@$#:")
	if tokens[0][0] == '/' {
		return tokens[0][1:strings.LastIndexByte(tokens[0], '/')], true
	}
	if end := strings.LastIndexByte(t, t[0]); end > 0 {
		return t[1:end], true
	}
	return "", false
}

// number is the value of a numeric literal; false if tokens are none.
func number(tokens []string) (float64, bool) {
	sign := 1.0
	if len(tokens) == 2 && tokens[0] == "-" {
		sign, tokens = -1, tokens[1:]
	}
	if len(tokens) != 1 {
		return 0, false
	}
	t := strings.ReplaceAll(tokens[0], "_", "")
	if n, err := strconv.ParseInt(t, 0, 64); err == nil {
		return sign * float64(n), true
	}
	v, err := strconv.ParseFloat(strings.TrimRight(t, "fFdDlLmMjJ"), 64)
	return sign * v, err == nil
}

// elements counts what a list literal holds; false if tokens are no list.
func elements(tokens []string) (int, bool) {
	if len(tokens) < 2 || !opens(tokens[0]) {
		return 0, false
	}
	if len(tokens) == 2 {
		return 0, true
	}
	return len(split(tokens[1 : len(tokens)-1])), true
}

func opens(t string) bool { return t == "(" || t == "[" || t == "{" }

func closes(t string) bool { return t == ")" || t == "]" || t == "}" }

// split cuts tokens at the commas that stand outside of brackets.
func split(tokens []string) [][]string {
	var out [][]string
	depth, start := 0, 0
	for i, t := range tokens {
		switch t {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case ",":
			if depth == 0 {
				out = append(out, tokens[start:i])
				start = i + 1
			}
		}
	}
	return append(out, tokens[start:])
}

// mentions reports whether one of the tokens is that name, or begins with it
// and a dot.
func mentions(tokens []string, name string) bool {
	for _, t := range tokens {
		if t == name || len(t) > len(name) && t[len(name)] == '.' && t[:len(name)] == name {
			return true
		}
	}
	return false
}

// similarity is how much of two token lists is the same, from 0 to 1, order
// apart.
func similarity(a, b []string) float64 {
	if len(a)+len(b) == 0 {
		return 0
	}
	count := make(map[string]int, len(a))
	for _, t := range a {
		count[t]++
	}
	same := 0
	for _, t := range b {
		if count[t] > 0 {
			count[t]--
			same++
		}
	}
	return 2 * float64(same) / float64(len(a)+len(b))
}

// baseName is the name that a binding starts with: "x" of "x.y" and "x[]".
func baseName(bind string) string {
	if i := strings.IndexAny(bind, ".["); i > 0 {
		return bind[:i]
	}
	return bind
}

// lastName is the part of a qualified or dotted name after the last separator.
func lastName(name string) string {
	if i := strings.LastIndex(name, "› "); i >= 0 {
		name = name[i+len("› "):]
	}
	if i := strings.LastIndexAny(name, ".:/#"); i >= 0 && i+1 < len(name) {
		name = name[i+1:]
	}
	return name
}
