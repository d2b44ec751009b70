package corpustest_test

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity"
)

// aimedTables renders what was caught and missed by language, and every miss.
func aimedTables(results []aimedResult) string {
	var out strings.Builder
	for _, by := range []struct {
		what string
		of   func(aimedResult) string
	}{
		{"language", func(r aimedResult) string { return r.language }},
		{"form", func(r aimedResult) string { return r.form }},
		{"kind", func(r aimedResult) string { return r.kind }},
	} {
		groups := map[string]*aimedTally{}
		var keys []string
		for _, r := range results {
			k := by.of(r)
			if groups[k] == nil {
				groups[k], keys = &aimedTally{}, append(keys, k)
			}
			groups[k].add(r)
		}
		slices.Sort(keys)
		fmt.Fprintf(&out, "%-22s %8s %8s %8s %12s %12s\n", by.what, "caught", "on line", "named", "false alarms", "beyond list")
		for _, k := range keys {
			n := groups[k]
			fmt.Fprintf(&out, "%-22s %8s %8s %8s %12s %12s\n", k, ratio(n.caught, n.weak), ratio(n.placed, n.weak), ratio(n.named, n.weak),
				ratio(n.alarms, n.fine), ratio(n.beyondAlarms, n.beyond))
		}
	}
	for _, r := range results {
		if !r.right() {
			fmt.Fprintf(&out, "miss: %s is %s\n    %s\n", r.name(), r.verdict, map[string]string{"weak": r.why, "fine": r.harmless}[r.side])
			for _, v := range r.found {
				fmt.Fprintf(&out, "    found %s %s:%d:%s %s\n", v.Kind, v.File, v.Line, v.Side, v.Description)
			}
		}
	}
	return out.String()
}

type aimedTally struct{ weak, caught, placed, named, fine, alarms, beyond, beyondAlarms int }

func (n *aimedTally) add(r aimedResult) {
	one := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	switch {
	case r.side == "weak":
		n.weak++
		n.caught += one(r.right())
		n.placed += one(r.placed())
		n.named += one(r.named())
	case r.form == "refactoring" && !r.listed:
		n.beyond++
		n.beyondAlarms += one(r.verdict != integrity.Clean)
	default:
		n.fine++
		n.alarms += one(!r.right())
	}
}
