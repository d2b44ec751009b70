package catalogue

import "testing"

// TestEveryPairIsDeclared: of every two names of one relation the data says
// which demands more, that both demand the same, or that neither does.
func TestEveryPairIsDeclared(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	pairs := 0
	for _, fw := range all {
		for i, a := range fw.Entries {
			for _, b := range fw.Entries[i+1:] {
				if a.Relation != b.Relation || a.Name == b.Name {
					continue
				}
				pairs++
				up, down := fw.atLeast(a.Relation, a.Name, b.Name), fw.atLeast(a.Relation, b.Name, a.Name)
				unrelated := fw.unrelated[[3]string{a.Relation, a.Name, b.Name}]
				if unrelated == (up || down) {
					t.Errorf("%s, relation %s: %s and %s: related %v, declared incomparable %v", fw.Name, a.Relation, a.Name, b.Name, up ||
						down, unrelated)
				}
				if up && down && !fw.sameByEquals(a.Relation, a.Name, b.Name) {
					t.Errorf("%s, relation %s: %s and %s are each stronger than the other", fw.Name, a.Relation, a.Name, b.Name)
				}
			}
		}
	}
	if pairs < 300 {
		t.Errorf("only %d pairs", pairs)
	}
}

// sameByEquals follows declared equalities alone.
func (fw *Framework) sameByEquals(relation, a, b string) bool {
	only := &Framework{Entries: fw.Entries, equal: fw.equal}
	return only.atLeast(relation, a, b)
}

func TestDataErrors(t *testing.T) {
	for _, text := range []string{
		"", "language Go\nEqual a b", "language Go\non t\nrelation x y", "language Go\non t\nrelation x\nA\norder A > B",
		"language Go\non t\nrelation x\nA\nB\norder A < B",
	} {
		if _, err := parse("x", text); err == nil {
			t.Errorf("parse(%q) gives no error", text)
		}
	}
}
