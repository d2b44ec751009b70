package textdiff

import "slices"

// span is a pair of ranges that replace each other: old[a0:a1] by new[b0:b1].
type span struct{ a0, a1, b0, b1 int }

const (
	maxLines = 400_000 // of both files together; above it the differing middle is one span
	maxEdits = 1_500   // edit distance that Myers' algorithm is tried up to
)

// spans lists what differs between a and b, in order and without overlap.
func spans(a, b []int32) []span {
	var out []span
	emit := func(s span) {
		if s.a0 == s.a1 && s.b0 == s.b1 {
			return
		}
		if n := len(out); n > 0 && out[n-1].a1 == s.a0 && out[n-1].b1 == s.b0 {
			out[n-1].a1, out[n-1].b1 = s.a1, s.b1
			return
		}
		out = append(out, s)
	}
	compare(a, b, span{0, len(a), 0, len(b)}, emit)
	return out
}

// compare emits the differences inside s: by Myers' algorithm where the texts are near each other,
// else between the lines that are unique on both sides, else as one replacement. Its time is
// bounded whatever the input.
func compare(a, b []int32, s span, emit func(span)) {
	s = trim(a, b, s)
	if s.a0 == s.a1 || s.b0 == s.b1 || s.a1-s.a0+s.b1-s.b0 > maxLines {
		emit(s)
		return
	}
	if matches, ok := myers(a[s.a0:s.a1], b[s.b0:s.b1]); ok {
		between(s, matches, emit)
		return
	}
	anchors := unique(a[s.a0:s.a1], b[s.b0:s.b1])
	if len(anchors) == 0 {
		emit(s)
		return
	}
	between(s, anchors, func(gap span) { compare(a, b, gap, emit) })
}

// trim cuts equal lines off both ends.
func trim(a, b []int32, s span) span {
	for s.a0 < s.a1 && s.b0 < s.b1 && a[s.a0] == b[s.b0] {
		s.a0++
		s.b0++
	}
	for s.a0 < s.a1 && s.b0 < s.b1 && a[s.a1-1] == b[s.b1-1] {
		s.a1--
		s.b1--
	}
	return s
}

// match is a pair of equal lines, relative to a span.
type match struct{ a, b int }

// between calls f for each gap that the matches leave in s.
func between(s span, matches []match, f func(span)) {
	a, b := s.a0, s.b0
	for _, m := range matches {
		f(span{a, s.a0 + m.a, b, s.b0 + m.b})
		a, b = s.a0+m.a+1, s.b0+m.b+1
	}
	f(span{a, s.a1, b, s.b1})
}

// myers finds a longest common subsequence by the greedy algorithm of E. Myers, "An O(ND)
// Difference Algorithm and Its Variations" (1986); it gives up where more than maxEdits lines
// differ.
func myers(a, b []int32) ([]match, bool) {
	limit := min(len(a)+len(b), maxEdits)
	v := make([]int32, 2*limit+2) // furthest x on diagonal k, at v[k+limit]
	var trace [][]int32           // v[-d..d] as it stood before round d
	for d := 0; d <= limit; d++ {
		trace = append(trace, append([]int32(nil), v[limit-d:limit+d+1]...))
		for k := -d; k <= d; k += 2 {
			x := step(v, limit, d, k)
			for x < len(a) && x-k < len(b) && a[x] == b[x-k] {
				x++
			}
			v[limit+k] = int32(x) //nolint:gosec // at most maxLines
			if x >= len(a) && x-k >= len(b) {
				return backtrack(a, b, trace), true
			}
		}
	}
	return nil, false
}

// step is where round d starts on diagonal k: below or right of the furthest neighbour of the round
// before.
func step(v []int32, mid, d, k int) int {
	if d == 0 {
		return 0
	}
	if k == -d || k != d && v[mid+k-1] < v[mid+k+1] {
		return int(v[mid+k+1])
	}
	return int(v[mid+k-1]) + 1
}

// backtrack reads the matches from the recorded rounds, first to last.
func backtrack(a, b []int32, trace [][]int32) []match {
	var out []match
	x, y := len(a), len(b)
	for d := len(trace) - 1; d >= 0; d-- {
		k, v := x-y, trace[d]
		start := step(v, d, d, k)
		for ; x > start; x, y = x-1, y-1 {
			out = append(out, match{x - 1, y - 1})
		}
		if d > 0 {
			if k == -d || k != d && v[d+k-1] < v[d+k+1] {
				y-- // a line of b was inserted
			} else {
				x--
			}
		}
	}
	slices.Reverse(out)
	return out
}
