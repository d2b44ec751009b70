package workaround

import (
	"workflow-reviewer/internal/integrity/workaround/literal"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// weight says how much a constant tells by standing both in a test and in the
// implementation: 0 for what stands anywhere (0, 1, "", true), 2 for what no
// one would write by chance.
func weight(k literal.Key) float64 {
	kind, text, _ := strings.Cut(string(k), ":")
	switch kind {
	case "n":
		return numberWeight(text)
	case "s":
		return stringWeight(text)
	case "c":
		sum, numbers := 0.0, 0
		for _, p := range strings.Split(text, ",") {
			sum += weight(literal.Key(p))
			if strings.HasPrefix(p, "n:") {
				numbers++
			}
		}
		return min(2, max(sum, 0.25*float64(numbers)))
	default:
		return 0
	}
}

func numberWeight(text string) float64 {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 1.5 // longer than a machine's numbers
	}
	digits := len(strings.TrimLeft(strings.NewReplacer("-", "", ".", "").Replace(text), "0"))
	abs := math.Abs(f)
	switch {
	case abs <= 2:
		if abs != math.Trunc(abs) && digits >= 3 {
			return 1
		}
		return 0
	case abs != math.Trunc(abs):
		return min(1.5, 0.5*float64(digits)-0.5)
	case round(abs):
		return 0.25
	case abs < 20:
		return 0.25
	case abs < 100:
		return 0.5
	case abs < 1000:
		return 1
	default:
		return 1.5
	}
}

// round reports whether a number is one that programs use for its own sake:
// powers of two and ten, units of time and angle, limits, statuses of HTTP.
func round(f float64) bool {
	if f > 1e15 {
		return false
	}
	i := int64(f)
	if i&(i-1) == 0 || (i+1)&i == 0 {
		return true
	}
	switch i {
	case 12, 24, 60, 90, 180, 270, 360, 365, 366, 3600, 86400, 604800, 1440, 1900, 1970, 1582, 65536, 999, 9999, 99999, 999999, 3306, 5432, 6379, 8080, 8443, 27017, 5000, 3000:
		return true
	}
	if i >= 100 && i < 600 && (i%100 < 32) {
		return true // HTTP
	}
	for i >= 10 && i%10 == 0 {
		i /= 10
	}
	return i < 10
}

func stringWeight(s string) float64 {
	n := len([]rune(s))
	switch {
	case n <= 1, n <= 2 && s[0] >= '0' && s[0] <= '9':
		return 0
	case n <= 3:
		return 0.25
	case isCode(s):
		return 0.25
	case isWord(s), isTitle(s):
		if n >= 20 {
			return 1
		}
		return 0.5
	case n < 6:
		return 0.5
	case n >= 15 && strings.ContainsAny(s, " "):
		return 1.5
	default:
		return 1
	}
}

// isWord reports whether a text is one word or name.
func isWord(s string) bool {
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' && r != '.' {
			return false
		}
	}
	return true
}

// isCode reports whether a text is of a form in which programs name things:
// media types, error codes, options, file endings, colours, formats of dates.
func isCode(s string) bool {
	switch {
	case strings.HasPrefix(s, "--"), strings.HasPrefix(s, ".") && isWord(s[1:]), strings.HasPrefix(s, "#") && len(s) <= 9, strings.HasPrefix(s, "%"), strings.HasPrefix(s, "$") && isWord(s[1:]):
		return true
	case strings.Count(s, "/") == 1 && isWord(strings.ReplaceAll(strings.ReplaceAll(s, "/", ""), "+", "")) && !strings.HasPrefix(s, "/"):
		return true
	}
	upper, digit := 0, 0
	for _, r := range s {
		switch {
		case unicode.IsUpper(r):
			upper++
		case unicode.IsDigit(r):
			digit++
		case r != '-' && r != '_':
			return false
		}
	}
	return upper > 0 && digit > 0 && upper <= 5
}
