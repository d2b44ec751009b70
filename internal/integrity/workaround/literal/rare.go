package literal

import (
	"math"
	"strconv"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
)

// Spellings of values that programs and their tests share for honest reasons:
// names and keys, options, paths and media types, formats, single words.
var shared = lazyregexp.New(`^(?:` +
	`[\pL_$@:#.&*-][\pL\pN_$.:/\\?!=-]*` + // a name, option, header, file ending
	`|[\pL\pN_.+*-]*(?:/[\pL\pN_.+*{}:<>$%-]*)+` + // a path, media type, route
	`|[%{\[(<]?[%{}\[\]()<>\pP\pS\s\w]{0,5}` + // anything shorter than six characters
	`|[^\pL\pN]*` + // punctuation alone
	`)$`)

// digits counts those of a number that tell: without leading and trailing zeros.
var zeros = lazyregexp.New(`^[-0.]*|0*(?:e[-+]?\d+)?$`)

// Rare reports whether a value is one that code and tests do not share by chance: a text that is more than a name, a
// number of four digits that tell, a list of several such or of many small ones.
func Rare(k Key) bool {
	kind, text, _ := strings.Cut(string(k), ":")
	switch kind {
	case "n":
		return rareNumber(text)
	case "s":
		return !shared.MatchString(text) && len(text) < 2000
	case "c":
		parts := strings.Split(text, ",")
		distinct := map[string]bool{}
		for _, p := range parts {
			distinct[p] = true
		}
		return len(distinct) >= 4
	default:
		return false
	}
}

func rareNumber(text string) bool {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return len(text) > 15
	}
	told := len(strings.ReplaceAll(zeros.ReplaceAllString(text, ""), ".", ""))
	if f == math.Trunc(f) {
		return told >= 4 && !nearPower(math.Abs(f)) && !(f >= 1900 && f < 2100)
	}
	return told >= 3
}

// nearPower: a power of two, or one less or more, as limits are.
func nearPower(f float64) bool {
	if f >= 1<<62 {
		return true
	}
	i := int64(f)
	return i&(i-1) == 0 || (i+1)&i == 0 || (i-1)&(i-2) == 0
}

// Tells reports whether a value means something by itself, unlike 0, 1, "" and true.
func Tells(k Key) bool {
	if k == "" || k == "z:" || k == "c:" || k[0] == 'b' {
		return false
	}
	switch k {
	case "n:0", "n:1", "n:-1", "n:2", "n:10", "n:100", "s:", "s: ":
		return false
	}
	return true
}
