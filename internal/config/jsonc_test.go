package config_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/config"
)

// TestComments: what editors take for a config is one, and places in it stay what they are.
func TestComments(t *testing.T) {
	const ignore = `{"ignore":["a//b","c/*d*/"],"iterations":{"max":5}}`
	want, _, err := config.ParseFile("c", []byte(ignore))
	if err != nil {
		t.Fatal(err)
	}
	for name, in := range map[string]string{
		"comments": "// what is reviewed\n" + "{ /* two\nlines */ \"ignore\": [ // these\n" +
			"\"a//b\", \"c/*d*/\"], \"iterations\": {\"max\": 5}} // end",
		"trailing commas": `{"ignore":["a//b","c/*d*/" , ],"iterations":{"max":5, /* more */ },
		}`,
		"a byte order mark": "\ufeff" + ignore,
		"UTF-16":            utf16(ignore),
		"all of it":         "\ufeff// x\r\n" + strings.Replace(ignore, "5}}", "5,},// \"}\r\n}", 1) + "/**/",
	} {
		got, _, err := config.ParseFile("c", []byte(in))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s:\n%s", name, d)
		}
	}
	for in, want := range map[string]string{
		"// one\n/* two\n */ {\"ignre\": []}":  "c:3:6: ignre",
		"\ufeff{\"ignre\": []}":                "c:1:2: ignre",
		"{\"ignore\": [,]}":                    "c: invalid JSON: line 1, column 13",
		"{\"ignore\": [\"a\",,]}":              "c: invalid JSON: line 1, column 17",
		"{,}":                                  "c: invalid JSON: line 1, column 2",
		"{\"ignore\":,}":                       "c: invalid JSON: line 1, column 11",
		"{} /* no end":                         "c: invalid JSON: line 1, column 4",
		"{\"ignore\": [\"a\" // ]}":            "unexpected EOF",
		"// nothing but a comment":             "unexpected EOF",
		"{\"ignore\": [\"\\\" // no comment]}": "invalid",
		strings.Repeat("[", 900_000):           "c: file has more than 10000 objects and lists",
	} {
		if _, _, err := config.ParseFile("c", []byte(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", in, err, want)
		}
	}
}

func utf16(ascii string) string {
	out := "\xff\xfe"
	for _, c := range []byte(ascii) {
		out += string([]byte{c, 0})
	}
	return out
}
