package workaround

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"workflow-reviewer/internal/integrity/workaround/code"
	"workflow-reviewer/internal/integrity/workaround/literal"
)

// arbitrary reports whether the inputs of entries are such as tests try, and
// not the words, codes or numbers that a program has names or values for: those
// come as words, as single letters, as numbers in a row, as round numbers.
func arbitrary(entries []entry) bool {
	var numbers []float64
	words, letters, others, total := 0, 0, 0, 0
	for _, e := range entries {
		for _, n := range e.inputs {
			total++
			switch n.Value.Type {
			case code.Number:
				f, err := strconv.ParseFloat(n.Value.Text, 64)
				if err != nil {
					return true
				}
				numbers = append(numbers, f)
			case code.String:
				switch s := n.Value.Text; {
				case len([]rune(s)) == 1:
					letters++
				case isName(s) || isCode(s):
					words++
				default:
					others++
				}
			default:
				others++
			}
		}
	}
	switch total {
	case 0, words, letters:
		return false
	case len(numbers):
		return !inARow(numbers) && !slices.ContainsFunc(entries, func(e entry) bool { return len(e.inputs) > 1 }) || tupled(entries, numbers)
	default:
		return others > 0 || letters > 0 && words > 0 || len(numbers) > 0 && !inARow(numbers)
	}
}

// tupled: several numbers an entry, and not the steps of a grid.
func tupled(entries []entry, numbers []float64) bool {
	if !slices.ContainsFunc(entries, func(e entry) bool { return len(e.inputs) > 1 }) {
		return false
	}
	return slices.ContainsFunc(numbers, func(f float64) bool { return f > 1 || f < -1 })
}

// inARow reports whether numbers are such as programs have tables of: they
// follow each other with the same step, are a few small ones, or are of one kind
// of round numbers.
func inARow(numbers []float64) bool {
	sorted := slices.Clone(numbers)
	slices.Sort(sorted)
	row := true
	for i, f := range sorted {
		if i > 1 && f-sorted[i-1] != sorted[1]-sorted[0] {
			row = false
		}
	}
	all := func(test func(float64) bool) bool {
		return !slices.ContainsFunc(sorted, func(f float64) bool { return !test(f) })
	}
	high := sorted[len(sorted)-1] >= 100
	dense := len(sorted) <= 6 && sorted[len(sorted)-1]-sorted[0] <= 1.5*float64(len(sorted))
	few := (len(sorted) < 5 || dense) && all(func(f float64) bool { return f == math.Trunc(f) && f >= -2 && f <= 20 })
	return row || few || all(powerOfTwo) || high && all(decimal) || all(httpStatus)
}

func powerOfTwo(f float64) bool {
	return f >= 1 && f < 1<<53 && f == math.Trunc(f) && int64(f)&(int64(f)-1) == 0
}

// decimal: one digit, then zeros.
func decimal(f float64) bool {
	for f >= 10 && math.Mod(f, 10) == 0 {
		f /= 10
	}
	return f == math.Trunc(f) && f >= 0 && f < 10
}

func httpStatus(f float64) bool { return f >= 100 && f < 600 && f == math.Trunc(f) }

// isName reports whether a text is a word with a letter in front, or a proper
// name of several words.
func isName(s string) bool {
	if isTitle(s) {
		return true
	}
	if s == "" || !isWord(s) {
		return false
	}
	r := []rune(s)[0]
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' || r > 0x7f
}

// isTitle reports whether a text is written as the names of things and places
// are: "United Kingdom", "All or Nothing".
func isTitle(s string) bool {
	parts := strings.Split(s, " ")
	if len(parts) < 2 || len(parts) > 5 {
		return false
	}
	for i, part := range parts {
		r, _ := utf8.DecodeRuneInString(part)
		small := i > 0 && particle(part)
		if !unicode.IsUpper(r) && !small || strings.ContainsFunc(part, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' }) {
			return false
		}
	}
	return true
}

// particle reports whether a word is written small in names.
func particle(s string) bool {
	switch s {
	case "a", "an", "and", "as", "at", "but", "by", "for", "from", "in", "is", "of", "on", "or", "the", "to", "with", "de", "del", "der", "des", "di", "du", "la", "le", "und", "van", "von", "y":
		return true
	}
	return false
}

// judgesWords: words that are answered with true and false, as no table of
// names is.
func judgesWords(entries []entry) bool {
	yes, no := 0, 0
	for _, e := range entries {
		if v := literal.Bare(e.output); v.Is(code.Literal) && v.Value.Type == code.Bool {
			if v.Value.True() {
				yes++
			} else {
				no++
			}
		}
	}
	return yes > 0 && no > 0 && yes+no == len(entries) && len(entries) >= 4
}
