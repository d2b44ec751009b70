package textdiff

import "sort"

// unique finds the longest run of matches, rising on both sides, among the
// lines that occur exactly once in a and in b (patience diff).
func unique(a, b []int32) []match {
	type place struct{ inA, inB, a, b int }
	seen := map[int32]*place{}
	for i, id := range a {
		if p := seen[id]; p != nil {
			p.inA++
		} else {
			seen[id] = &place{inA: 1, a: i}
		}
	}
	for j, id := range b {
		if p := seen[id]; p != nil {
			p.inB++
			p.b = j
		}
	}
	var pairs []match
	for i, id := range a {
		if p := seen[id]; p.a == i && p.inA == 1 && p.inB == 1 {
			pairs = append(pairs, match{p.a, p.b})
		}
	}
	return rising(pairs)
}

// rising is a longest subsequence of pairs, sorted by a, whose b rises.
func rising(pairs []match) []match {
	var tops []int // index of the smallest last pair of each length
	prev := make([]int, len(pairs))
	for i, p := range pairs {
		n := sort.Search(len(tops), func(t int) bool { return pairs[tops[t]].b >= p.b })
		prev[i] = -1
		if n > 0 {
			prev[i] = tops[n-1]
		}
		if n == len(tops) {
			tops = append(tops, i)
		} else {
			tops[n] = i
		}
	}
	out := make([]match, len(tops))
	if len(tops) == 0 {
		return out
	}
	for i, n := tops[len(tops)-1], len(tops)-1; i >= 0; i, n = prev[i], n-1 {
		out[n] = pairs[i]
	}
	return out
}
