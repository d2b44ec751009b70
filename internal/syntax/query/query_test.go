package query_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/syntax/query"
)

const source = `import os

@pytest.fixture(autouse=True)
def session(db):
    return db

class TestLogin:
    def test_ok(self):
        assert login("ann") == "session:ann"
        assert True

    def helper(self):
        print(os.environ["PYTEST_CURRENT_TEST"])

def test_twice():
    x = 1
    x = 1
    assert x, "no"
`

func TestMatches(t *testing.T) {
	t.Parallel()
	tree, err := syntax.Parse(context.Background(), syntax.Python, []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		query string
		want  []string // captures as name=text, a match a line
	}{
		"kind and field": {
			`(function_definition name: (identifier) @name)`,
			[]string{"name=session", "name=test_ok", "name=helper", "name=test_twice"},
		},
		"match": {
			`((function_definition name: (identifier) @name) (#match? @name "^test_"))`,
			[]string{"name=test_ok", "name=test_twice"},
		},
		"negated match": {
			`((function_definition name: (identifier) @name) (#not-match? @name "^test_"))`,
			[]string{"name=session", "name=helper"},
		},
		"decorator with its function": {
			`(decorated_definition
			   (decorator (call function: (attribute) @what arguments: (argument_list
			     (keyword_argument name: (identifier) @key value: (true)))))
			   definition: (function_definition name: (identifier) @name))`,
			[]string{"what=pytest.fixture key=autouse name=session"},
		},
		"alternatives and tokens": {
			`(assert_statement . "assert" [(true) (identifier)] @value)`,
			[]string{"value=True", "value=x"},
		},
		"end": {
			`(assert_statement (true) @value .)`,
			[]string{"value=True"},
		},
		"end excludes": {
			`(assert_statement . (identifier) @value .)`,
			nil,
		},
		"optional": {
			`(assert_statement (identifier) @value (string)? @text)`,
			[]string{`value=x text="no"`},
		},
		"many": {
			`(parameters (identifier)* @name)`,
			[]string{"name=db", "name=self", "name=self", ""},
		},
		"wildcard": {
			`(subscript value: (_) @of subscript: (string) @key)`,
			[]string{`of=os.environ key="PYTEST_CURRENT_TEST"`},
		},
		"same text": {
			`((block (expression_statement) @a . (expression_statement) @b) (#eq? @a @b))`,
			[]string{"a=x = 1 b=x = 1"},
		},
		"tried another way": {
			`((block (assert_statement) @a) (#eq? @a "assert True"))`,
			[]string{"a=assert True"},
		},
		"without a field": {
			`((function_definition name: (identifier) @name !return_type) (#any-of? @name "helper" "session"))`,
			[]string{"name=session", "name=helper"},
		},
		"siblings": {
			`((function_definition name: (identifier) @a) . (function_definition name: (identifier) @b))`,
			[]string{"a=test_ok b=helper"},
		},
		"siblings of which some may lack": {
			`((import_statement) @import . (comment)* (class_definition name: (_) @name))`,
			[]string{"name=TestLogin import=import os"},
		},
		"several patterns, comments": {
			"; tests\n(true) @yes\n; and imports\n(import_statement) @import",
			[]string{"import=import os", "yes=True", "yes=True"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q, err := query.Compile(c.query)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for m := range q.Matches(tree.Root()) {
				var parts []string
				for _, word := range []string{"a", "b", "of", "what", "key", "name", "value", "text", "yes", "import"} {
					for _, n := range m.Nodes(word) {
						parts = append(parts, word+"="+n.Text())
					}
				}
				got = append(got, strings.Join(parts, " "))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCompileErrors(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"(a":                            "(a is not closed",
		"\n\n)":                         `line 3: unexpected ")"`,
		`((a) (#like? @b "c"))`:         "unknown predicate #like?",
		`((a) @b (#match? @b "("))`:     "missing closing )",
		`((a) @b (#eq? @b c))`:          `"c" is no string`,
		`[(a) (b)`:                      "unexpected",
		`((a) (b)`:                      "unexpected",
		`(a) "unclosed`:                 "invalid syntax",
		`((a) @b (#match? @b "a" "b"))`: "takes one expression",
	} {
		if _, err := query.Compile(source); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Compile(%q): %v, want %q", source, err, want)
		}
	}
}

// TestHostileSource: a source with many children does not keep a pattern of many terms busy.
func TestHostileSource(t *testing.T) {
	t.Parallel()
	tree, err := syntax.Parse(context.Background(), syntax.Python, []byte("f("+strings.Repeat("1, ", 5000)+")\n"))
	if err != nil {
		t.Fatal(err)
	}
	q := query.MustCompile(`((argument_list (integer)+ (integer)+ (integer)+ (integer)+ @last) (#eq? @last "2"))`)
	for m := range q.Matches(tree.Root()) {
		t.Error(m)
	}
}

func FuzzCompile(f *testing.F) {
	f.Add(`((function_definition name: (identifier) @n) @d (#match? @n "^test_"))`)
	f.Add(`[(a) "b"]+ @c (_ !d . e: _ .)`)
	f.Fuzz(func(t *testing.T, source string) {
		q, err := query.Compile(source)
		if err == nil && q == nil {
			t.Errorf("%q: neither query nor error", source)
		}
	})
}
