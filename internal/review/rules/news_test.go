package rules_test

import (
	"testing"

	"workflow-reviewer/internal/workflow"
)

// TestCodeThatOnlyMovedIsNoNews: what the change takes away at one place and brings at
// another, or lays out anew, is not told again; what it adds to it is.
func TestCodeThatOnlyMovedIsNoNews(t *testing.T) {
	const (
		tight  = "def f(a):\n    try: save(a)\n    except Exception: pass\n"
		loose  = "def f(a):\n    try:\n        save(a)\n    except Exception:\n        pass\n\n\nx = 1\n"
		second = "\n\ndef g(a):\n    try:\n        store(a)\n    except Exception:\n        pass\n"
		query  = "def find(db, name):\n    return db.execute(\"SELECT * FROM users WHERE name = '\" + name + \"'\")\n"
		laid   = "def find(db, name):\n    return db.execute(\n        \"SELECT * FROM users WHERE name = '\" + name + \"'\",\n    )\n"
		other  = "def find(db, name, age):\n    return db.execute(\"SELECT * FROM users WHERE age = '\" + age + \"'\")\n"
		wider  = "def find(db, name, age):\n    return db.execute(\"SELECT * FROM users WHERE name = '\" + name + " +
			"\"' AND age = '\" + age + \"'\")\n"
		safe = "def find(db, name):\n    return db.execute(\"SELECT * FROM users WHERE name = ?\", name)\n"
		rest = "def rest():\n    return 1\n"
	)
	const swallowed, sql = "code/swallowed-error", "code/sql-concatenation"
	for name, c := range map[string]struct {
		rule          string
		before, after map[string]string
		want          int
	}{
		"laid out anew":              {swallowed, one("a.py", tight), one("a.py", loose), 0},
		"laid out anew, and another": {swallowed, one("a.py", tight), one("a.py", loose+second), 1},
		"new":                        {swallowed, one("a.py", rest), one("a.py", loose), 1},
		"moved": {
			sql, one("a.py", query+rest), with(one("a.py", rest), "b.py", query), 0,
		},
		"moved, and kept": {
			sql, one("a.py", query+rest), with(one("a.py", query+rest+"\nx = 1\n"), "b.py", query), 1,
		},
		"a statement laid out anew":   {sql, one("a.py", query), one("a.py", laid), 0},
		"another statement":           {sql, one("a.py", query), one("a.py", other), 1},
		"a statement with more in it": {sql, one("a.py", query), one("a.py", wider), 1},
		"a safe statement made such":  {sql, one("a.py", safe), one("a.py", query), 1},
		"moved to where it was safe": {
			sql, with(one("a.py", query), "b.py", safe), with(one("a.py", rest), "b.py", query), 0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			var files []string
			for f, text := range c.after {
				if c.before[f] != text {
					files = append(files, f)
				}
			}
			if got := found(t, input(workflow.Implementation, c.before, c.after, files...), c.rule); len(got) != c.want {
				t.Errorf("want %d: %+v", c.want, got)
			}
		})
	}
}

// TestErrorsWhileAnErrorIsHandled: what fails while another error is handled hides
// nothing that the other does not tell.
func TestErrorsWhileAnErrorIsHandled(t *testing.T) {
	const inner = "        try:\n            tell(a)\n            note(a)\n        except Exception:\n            pass\n"
	for text, want := range map[string]int{
		"def f(a):\n    try:\n        save(a)\n    except Exception:\n" + inner + "        raise\n": 0,
		"def f(a):\n    if a:\n" + inner + "    return a\n":                                         1,
	} {
		if got := found(t, input(workflow.Implementation, nil, one("a.py", text), "a.py"), "code/swallowed-error"); len(got) != want {
			t.Errorf("want %d of\n%s\n%+v", want, text, got)
		}
	}
}
