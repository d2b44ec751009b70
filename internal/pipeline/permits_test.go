package pipeline

import "testing"

// TestNamesPath: a path is named as a word of its own.
func TestNamesPath(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"tests/a_test.go": true, "see tests/a_test.go.": true, "`tests/a_test.go`": true, "(./tests/a_test.go)": true,
		"tests/a_test.go. And more": true, "one\ntests/a_test.go\ntwo": true, "tests/a_test.go, b": true,
		"tests/a_test.go.bak": false, "x/tests/a_test.go": false, "../tests/a_test.go": false,
		"tests/a_test.go/b": false, "mytests/a_test.go": false, "tests/a_testXgo": false, "": false,
		"x/tests/a_test.go tests/a_test.go": true,
	} {
		if got := namesPath("tests/a_test.go").MatchString(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
