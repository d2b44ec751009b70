package requirements

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
)

var (
	obliges = words("must shall required requires always every all each")
	permits = words(
		"should may might can could ideally optionally optional preferably recommended possible try tries attempt attempts " +
			"usually normally typically generally mostly some",
	)
	negates = words(
		"not no never none neither nor without cannot can't won't don't doesn't isn't aren't mustn't shouldn't except",
	)
	restrict = words("if when only unless except where while until before after within once")
	// above and below are how a bound is stated that a greater, or a smaller, number loosens.
	above = lazyregexp.New(
		`(?:\b(?:within|under|below|less than|fewer than|at most|no more than|not more than|up to|maximum(?: ` +
			`of)?|max|no longer than|not exceed|in less than)|<|< =)$`,
	)
	below = lazyregexp.New(
		`(?:\b(?:at least|more than|over|above|minimum(?: of)?|min|no less than|not less than|no fewer ` +
			`than|greater than)|>|> =)$`,
	)
	// quantity is a number with its unit, which may be written on to it.
	quantity = lazyregexp.New(`^(-?\d+(?:\.\d+)?)([a-z]*)$`)
)

// units are factors to the first of their kind.
func units() map[string]struct {
	kind   string
	factor float64
} {
	type unit = struct {
		kind   string
		factor float64
	}
	out := map[string]unit{}
	add := func(kind string, factor float64, names string) {
		for _, n := range strings.Fields(names) {
			out[n] = unit{kind, factor}
		}
	}
	add("time", 0.001, "ms millisecond milliseconds")
	add("time", 1, "s sec secs second seconds")
	add("time", 60, "min mins minute minutes")
	add("time", 3600, "h hour hours")
	add("time", 86400, "day days")
	add("size", 1, "b byte bytes")
	add("size", 1e3, "kb kib")
	add("size", 1e6, "mb mib")
	add("size", 1e9, "gb gib")
	return out
}

// Weakening says in words how a text demands less than the one before, "" where
// that cannot be told: words that were added may restrict as well as explain.
func Weakening(before, after string) string {
	old, now := words(before), words(after)
	switch gone, come := less(old, now), less(now, old); {
	case count(old, negates) != count(now, negates):
		return "what it denies is another"
	case count(gone, obliges) > count(come, obliges) && count(come, permits) > 0:
		return fmt.Sprintf("%q became %q", first(gone, obliges), first(come, permits))
	case count(come, permits) > count(gone, permits):
		return fmt.Sprintf("%q was added", first(come, permits))
	case len(come) == 0 && len(gone) > 0 && count(gone, restrict) == 0 && isSubsequence(now, old):
		return fmt.Sprintf("%q was taken out", strings.Join(gone, " "))
	case len(come) == 0 && count(gone, obliges) > 0:
		return fmt.Sprintf("%q was taken out", first(gone, obliges))
	}
	return looser(old, now)
}

// looser says which bound demands less, of two texts that differ in numbers and units alone.
func looser(old, now []string) string {
	type measure struct {
		at    int
		text  string
		value float64
		kind  string
	}
	read := func(list []string) (rest []string, found []measure) {
		known := units()
		for i := 0; i < len(list); i++ {
			m := quantity.FindStringSubmatch(list[i])
			if m == nil {
				rest = append(rest, list[i])
				continue
			}
			q := measure{at: len(rest), text: list[i]}
			q.value, _ = strconv.ParseFloat(m[1], 64)
			name := m[2]
			if name == "" && i+1 < len(list) {
				if _, ok := known[list[i+1]]; ok {
					name, q.text = list[i+1], q.text+" "+list[i+1]
					i++
				}
			}
			if u, ok := known[name]; ok {
				q.kind, q.value = u.kind, q.value*u.factor
			} else {
				q.kind = name
			}
			rest, found = append(rest, "0"), append(found, q)
		}
		return rest, found
	}
	restOld, before := read(old)
	restNow, after := read(now)
	if !slices.Equal(restOld, restNow) {
		return ""
	}
	for i, b := range before {
		a, bound := after[i], strings.Join(restOld[:b.at], " ")
		isLooser := above.MatchString(bound) && a.value > b.value ||
			below.MatchString(bound) && a.value < b.value
		if a.kind == b.kind && isLooser {
			return fmt.Sprintf("%s became %s", b.text, a.text)
		}
	}
	return ""
}

// less is a list without what another holds, each as often as it does.
func less(list, taken []string) []string {
	left := map[string]int{}
	for _, t := range taken {
		left[t]++
	}
	var out []string
	for _, w := range list {
		if left[w] > 0 {
			left[w]--
			continue
		}
		out = append(out, w)
	}
	return out
}

// count counts the words of list that are among those of of.
func count(list, of []string) int {
	n := 0
	for _, w := range list {
		if slices.Contains(of, w) {
			n++
		}
	}
	return n
}

// first is the first word of list that is among the words of of, "" if none is.
func first(list, of []string) string {
	i := slices.IndexFunc(list, func(w string) bool { return slices.Contains(of, w) })
	if i < 0 {
		return ""
	}
	return list[i]
}

// isSubsequence reports whether a list is another one with some left out.
func isSubsequence(short, long []string) bool {
	for _, w := range long {
		if len(short) > 0 && short[0] == w {
			short = short[1:]
		}
	}
	return len(short) == 0
}
