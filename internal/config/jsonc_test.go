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
		"{\"ignore\": [,]}":                    "c:1:13: invalid JSON",
		"{\"ignore\": [\"a\",,]}":              "c:1:17: invalid JSON",
		"{,}":                                  "c:1:2: invalid JSON",
		"{\"ignore\":,}":                       "c:1:11: invalid JSON",
		"{} /* no end":                         "c:1:4: invalid JSON",
		"{\"ignore\": [\"a\" // ]}":            "unexpected end",
		"// nothing but a comment":             "unexpected end",
		"{\"ignore\": [\"\\\" // no comment]}": "invalid",
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
