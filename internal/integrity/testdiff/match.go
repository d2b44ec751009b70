package testdiff

import (
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
)

// matchUnits pairs the units of two versions of a file: those of the same role
// and name, then renamed ones by what they do. Units without a counterpart are
// in pairs with nil.
func matchUnits(was, is []testmodel.Unit) []unitPair {
	m := matcher{was: was, is: is, toIs: none(len(was)), toWas: none(len(is))}
	m.byName()
	m.byBody()
	m.bySimilarity()
	m.suites()
	return m.pairs()
}

type matcher struct {
	was, is     []testmodel.Unit
	toIs, toWas []int
}

func (m *matcher) pair(i, j int) { m.toIs[i], m.toWas[j] = j, i }

func (m *matcher) byName() {
	byName := make(map[string]int, len(m.is))
	for j := range m.is {
		byName[string(m.is[j].Role)+"\x00"+m.is[j].Name] = j
	}
	for i := range m.was {
		if j, ok := byName[string(m.was[i].Role)+"\x00"+m.was[i].Name]; ok {
			m.pair(i, j)
		}
	}
}

// byBody pairs units that do exactly the same under another name.
func (m *matcher) byBody() {
	var left map[string][]int
	for j := range m.is {
		if m.toWas[j] < 0 && m.is[j].Role != testmodel.Suite {
			if left == nil {
				left = map[string][]int{}
			}
			k := bodyKey(&m.is[j])
			left[k] = append(left[k], j)
		}
	}
	if left == nil {
		return
	}
	for i := range m.was {
		if m.toIs[i] >= 0 || m.was[i].Role == testmodel.Suite || len(m.was[i].Body) == 0 {
			continue
		}
		k := bodyKey(&m.was[i])
		if at := m.bestName(&m.was[i], left[k]); at >= 0 {
			j := left[k][at]
			m.pair(i, j)
			left[k] = append(left[k][:at:at], left[k][at+1:]...)
		}
	}
}

// bestName picks among units the one whose name is most like a unit's, of the
// same role if there is one.
func (m *matcher) bestName(u *testmodel.Unit, among []int) int {
	best, most := -1, -1.0
	for at, j := range among {
		if !compatible(u.Role, m.is[j].Role) {
			continue
		}
		s := similarity(words(u.Name), words(m.is[j].Name))
		if u.Role == m.is[j].Role {
			s += 2
		}
		if s > most {
			best, most = at, s
		}
	}
	return best
}

// compatible reports whether a unit of one role may be what became of one of
// the other: a test may end as a helper that nobody calls.
func compatible(was, is testmodel.Role) bool {
	return was == is || (was == testmodel.Test || was == testmodel.Helper || was == testmodel.Setup) && is == testmodel.Helper ||
		was == testmodel.Helper && is == testmodel.Setup
}

func words(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(" _-›.", r) })
}

// bodyKey identifies what a unit does.
func bodyKey(u *testmodel.Unit) string {
	var b strings.Builder
	writeBody(&b, u.Body)
	for _, r := range u.Rows {
		b.WriteString("\x02" + joined(r.Tokens))
	}
	return b.String()
}

func writeBody(b *strings.Builder, body []testmodel.Stmt) {
	for i := range body {
		b.WriteString("\x03" + keyOf(&body[i]))
		for _, r := range body[i].Rows {
			b.WriteString("\x02" + joined(r.Tokens))
		}
		writeBody(b, body[i].Body)
		b.WriteByte('\x04')
	}
}

// leastSimilar is how similar units must be to be versions of one.
const leastSimilar = 0.55

// bySimilarity pairs what is left of the same role with the most similar unit.
func (m *matcher) bySimilarity() {
	rest, others := left(m.toIs), left(m.toWas)
	if len(rest) == 0 || len(others) == 0 || len(rest)*len(others) > 10_000 {
		return
	}
	profiles := make(map[int][]string, len(others))
	for _, j := range others {
		profiles[j] = profile(&m.is[j])
	}
	for _, i := range rest {
		if m.was[i].Role == testmodel.Suite {
			continue
		}
		own := profile(&m.was[i])
		best, most := -1, leastSimilar
		for _, j := range others {
			if m.toWas[j] >= 0 || !compatible(m.was[i].Role, m.is[j].Role) {
				continue
			}
			s := similarity(own, profiles[j])
			if lastPart(m.was[i].Name) == lastPart(m.is[j].Name) {
				s += 0.4
			}
			if s >= most {
				best, most = j, s
			}
		}
		if best >= 0 {
			m.pair(i, best)
		}
	}
}

func left(partners []int) []int {
	var out []int
	for i, p := range partners {
		if p < 0 {
			out = append(out, i)
		}
	}
	return out
}

// maxProfile bounds the tokens by which units are compared as a whole.
const maxProfile = 2_000

// profile are the tokens of a unit.
func profile(u *testmodel.Unit) []string {
	var out []string
	var walk func(body []testmodel.Stmt)
	walk = func(body []testmodel.Stmt) {
		for i := range body {
			if len(out) > maxProfile {
				return
			}
			if a := body[i].Assert; a != nil {
				out = append(append(append(out, string(a.Relation)), a.Subject...), a.Expected...)
			} else {
				out = append(out, body[i].Head...)
			}
			for _, r := range body[i].Rows {
				out = append(out, r.Tokens...)
			}
			walk(body[i].Body)
		}
	}
	walk(u.Body)
	return out
}

// suites pairs suites without a namesake with the one that has most of their
// tests.
func (m *matcher) suites() {
	for i := range m.was {
		if m.toIs[i] >= 0 || m.was[i].Role != testmodel.Suite {
			continue
		}
		votes := map[string]int{}
		for k := range m.was {
			if suite, ok := suiteOf(m.was[k].Name); ok && suite == m.was[i].Name && m.toIs[k] >= 0 {
				if now, ok := suiteOf(m.is[m.toIs[k]].Name); ok {
					votes[now]++
				}
			}
		}
		best := -1
		for j := range m.is {
			if m.toWas[j] < 0 && m.is[j].Role == testmodel.Suite && votes[m.is[j].Name] > 0 && (best < 0 || votes[m.is[j].Name] > votes[m.is[best].Name]) {
				best = j
			}
		}
		if best >= 0 {
			m.pair(i, best)
		}
	}
}

func (m *matcher) pairs() []unitPair {
	out := make([]unitPair, 0, len(m.was))
	for i := range m.was {
		p := unitPair{was: &m.was[i]}
		if m.toIs[i] >= 0 {
			p.is = &m.is[m.toIs[i]]
		}
		out = append(out, p)
	}
	for j := range m.is {
		if m.toWas[j] < 0 {
			out = append(out, unitPair{is: &m.is[j]})
		}
	}
	return out
}
