package integrity

import "testing"

// A name is mentioned by another file than its own, as a whole word, whatever it is made of.
func TestMention(t *testing.T) {
	texts := newTexts()
	for _, f := range []struct{ path, text string }{
		{"a.py", "def helper(): pass\nimport lib.core\n"},
		{"b.py", "helper()\nrun('--race', \"vendor/lib\")\n"},
		{"a.py", "def alone(): pass\n"},
		{"c.py", "race vendor lib\n"},
	} {
		texts.add(f.path, []byte(f.text), func() ([]byte, error) { return []byte(f.text), nil })
	}
	for _, c := range []struct {
		name, except string
		want         bool
	}{
		{"helper", "a.py", true},
		{"alone", "a.py", false},
		{"alone", "b.py", true},
		{"alone", "", true},
		{"help", "", false},
		{"", "", false},
		{"--", "", false},
		{"--race", "", true},
		{"--race", "b.py", false},
		{"vendor/lib", "", true},
		{"vendor/core", "", false},
		{"lib.core", "c.py", true},
		{"lib.core", "a.py", false},
	} {
		if got := texts.mention(c.name, c.except); got != c.want {
			t.Errorf("%q besides %q: %v", c.name, c.except, got)
		}
	}
	texts.full = true
	if !texts.mention("unknown", "") {
		t.Error("what cannot be told is no mention")
	}
}
