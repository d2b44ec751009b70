package testdiff

import (
	"slices"
	"sort"

	"workflow-reviewer/internal/integrity/testmodel"
)

// pairCompounds pairs compound statements whose own head changed by what is in
// them: the one that most of the content is in now.
func (u *unitDiff) pairCompounds() {
	for i := len(u.b) - 1; i >= 0; i-- { // inner ones first
		if u.toA[i] >= 0 || len(u.b[i].Body) == 0 {
			continue
		}
		votes := map[int]int{}
		for k := i + 1; k < len(u.b) && inside(u.b, k, i); k++ {
			if u.toA[k] < 0 {
				continue
			}
			for p := u.a[u.toA[k]].parent; p >= 0; p = u.a[p].parent {
				if u.toB[p] < 0 && u.a[p].Kind == u.b[i].Kind {
					votes[p]++
					break
				}
			}
		}
		best := -1
		for p, n := range votes {
			if best < 0 || n > votes[best] || n == votes[best] && p > best {
				best = p
			}
		}
		if best >= 0 {
			u.pair(i, best)
		}
	}
}

type candidate struct {
	i, j  int
	score float64
}

// leastScore is how much two assertions must have in common to be versions of
// one.
const leastScore = 4

// maxCandidates bounds the pairs that are scored.
const maxCandidates = 20_000

// pairAsserts pairs what is left of the assertions, the most alike first.
func (u *unitDiff) pairAsserts() {
	was, is := u.leftAsserts(u.b, u.toA), u.leftAsserts(u.a, u.toB)
	near := len(was)*len(is) > maxCandidates
	var all []candidate
	for _, i := range was {
		for _, j := range is {
			if near && u.b[i].at != u.a[j].at || len(all) > 4*maxCandidates {
				continue
			}
			if s := u.score(i, j); s >= leastScore {
				all = append(all, candidate{i, j, s})
			}
		}
	}
	u.take(all)
}

func (u *unitDiff) leftAsserts(items []item, partner []int) []int {
	var out []int
	for i := range items {
		if partner[i] < 0 && items[i].Assert != nil {
			out = append(out, i)
		}
	}
	return out
}

// take pairs the best candidates first, in the order of the source where they
// are equally good.
func (u *unitDiff) take(all []candidate) {
	sort.SliceStable(all, func(x, y int) bool { return all[x].score > all[y].score })
	for _, c := range all {
		if u.toA[c.i] < 0 && u.toB[c.j] < 0 {
			u.pair(c.i, c.j)
		}
	}
}

// score is how much speaks for an assertion having become another.
func (u *unitDiff) score(i, j int) float64 {
	b, a := u.b[i].Assert, u.a[j].Assert
	w, x := oriented(b, a)
	s := 5 * similarity(append(append([]string{}, w.Subject...), w.Expected...), append(append([]string{}, x.Subject...), x.Expected...))
	if len(w.Subject) > 0 && equalTokens(w.Subject, x.Subject) {
		s += 6
	}
	if len(w.Expected) > 0 && equalTokens(w.Expected, x.Expected) {
		s += 3
	}
	if w.Relation == x.Relation {
		s++
	}
	if u.b[i].at == u.a[j].at {
		s += 2
		if x.Lost || x.Relation == testmodel.Always || tautological(x) {
			s += 3
		}
	}
	if u.sharesContent(i, j) {
		s += 4
	}
	return s
}

// sharesContent reports whether something in one compound statement has its
// partner in the other.
func (u *unitDiff) sharesContent(i, j int) bool {
	for k := i + 1; k < len(u.b) && inside(u.b, k, i); k++ {
		if p := u.toA[k]; p >= 0 && inside(u.a, p, j) {
			return true
		}
	}
	return false
}

// pairRest pairs what is left at the same place: statements of one kind, the
// most alike first.
func (u *unitDiff) pairRest() {
	places := map[int][]int{}
	for j := range u.a {
		if u.toB[j] < 0 && u.a[j].Assert == nil {
			places[u.a[j].at] = append(places[u.a[j].at], j)
		}
	}
	var all []candidate
	for i := range u.b {
		if u.toA[i] >= 0 || u.b[i].Assert != nil {
			continue
		}
		for _, j := range places[u.b[i].at] {
			if u.b[i].Kind != u.a[j].Kind || len(all) > maxCandidates || !sameBinds(u.b[i].Binds, u.a[j].Binds) {
				continue
			}
			s := similarity(u.b[i].Head, u.a[j].Head)
			if equalTokens(u.b[i].Binds, u.a[j].Binds) && len(u.b[i].Binds) > 0 {
				s++
			}
			if s >= 0.4 || u.b[i].Kind == testmodel.Returns {
				all = append(all, candidate{i, j, s})
			}
		}
	}
	u.take(all)
}

// sameBinds reports whether two statements bind something in common, or
// nothing at all.
func sameBinds(a, b []string) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	for _, name := range a {
		if slices.Contains(b, name) {
			return true
		}
	}
	return false
}
