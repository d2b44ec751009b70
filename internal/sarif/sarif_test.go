package sarif_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/sarif"
)

const root = "/home/runner/work/shop/shop"

// TestParseWhatToolsWrite: the files are those of the tools themselves; of gitleaks' rules only some are left.
func TestParseWhatToolsWrite(t *testing.T) {
	t.Parallel()
	want := map[string]sarif.Log{
		"gitleaks": {Tools: []string{"gitleaks"}, ByFile: map[string][]sarif.Result{"settings.conf": {{
			Tool: "gitleaks", Rule: "aws-access-token", Level: sarif.Warning, File: "settings.conf", Line: 1, EndLine: 1,
			Message: "aws-access-token has detected secret for file settings.conf.",
		}}}},
		"golangci-lint": {Tools: []string{"golangci-lint"}, ByFile: map[string][]sarif.Result{"main.go": {{
			Tool: "golangci-lint", Rule: "errcheck", Level: sarif.Error, File: "main.go", Line: 6, EndLine: 6,
			Message: "Error return value of `os.Remove` is not checked",
		}}}},
		"eslint": {Tools: []string{"ESLint"}, ByFile: map[string][]sarif.Result{"app.js": {
			{
				Tool: "ESLint", Rule: "no-unused-vars", Level: sarif.Warning, File: "app.js", Line: 2, EndLine: 2,
				Message: "'unused' is assigned a value but never used.",
			},
			{Tool: "ESLint", Rule: "no-eval", Level: sarif.Error, File: "app.js", Line: 3, EndLine: 3, Message: "eval can be harmful."},
		}}},
	}
	for name, log := range want {
		data, err := os.ReadFile(filepath.Join("testdata", name+".sarif"))
		if err != nil {
			t.Fatal(err)
		}
		got, err := sarif.Parse(data, "/github/workspace", root)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(log, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// one is a file with one result, at a.go:3 unless it says otherwise.
func one(members string) string {
	if !strings.Contains(members, `"locations"`) {
		members += `,"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a.go"},"region":{"startLine":3}}}]`
	}
	return file(`{"tool":{"driver":{"name":"lint","rules":[
		{"id":"r0","defaultConfiguration":{"level":"note"},"messageStrings":{"m":{"text":"{0} is {1}"}}},
		{"id":"r1","shortDescription":{"text":"Short."},"properties":{"tags":["security"]}}]},
		"extensions":[{"name":"more","rules":[{"id":"x0","defaultConfiguration":{"level":"error"}}]}]},
		"originalUriBaseIds":{"SRC":{"uri":"file:///home/runner/work/shop/shop/"},"SUB":{"uri":"pkg/","uriBaseId":"SRC"},
		"LOOP":{"uri":"x/","uriBaseId":"LOOP"},"OUT":{"uri":"file:///etc/"}},
		"artifacts":[{"location":{"uri":"b.go"}}],
		"results":[{` + members + `}]}`)
}

func file(runs string) string { return `{"version":"2.1.0","runs":[` + runs + `]}` }

func at(uri, base string) string {
	return fmt.Sprintf(`"message":{"text":"m"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":%q%s}}}]`, uri, base)
}

func TestParse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want string }{
		"level of the result":    {one(`"level":"error","message":{"text":"m"}`), "a.go:3 error  m"},
		"level of neither":       {one(`"message":{"text":"m"}`), "a.go:3 warning  m"},
		"level of the rule":      {one(`"ruleId":"r0","message":{"text":"m"}`), "a.go:3 note r0 m"},
		"rule by index":          {one(`"ruleIndex":0,"message":{"id":"m","arguments":["x","y"]}`), "a.go:3 note r0 x is y"},
		"rule of an extension":   {one(`"rule":{"index":0,"toolComponent":{"index":0}},"message":{"text":"m"}`), "a.go:3 error x0 m"},
		"index of no rule":       {one(`"ruleIndex":-7,"message":{"text":"m"}`), "a.go:3 warning  m"},
		"component that is none": {one(`"rule":{"index":0,"toolComponent":{"index":-9}},"message":{"text":"m"}`), "a.go:3 warning  m"},
		"text of the rule":       {one(`"ruleId":"r1","message":{}`), "a.go:3 warning security r1 Short."},
		"kind":                   {one(`"kind":"review","message":{"text":"m"}`), "a.go:3 none  m"},
		"passed":                 {one(`"kind":"pass","message":{"text":"m"}`), ""},
		"suppressed":             {one(`"message":{"text":"m"},"suppressions":[{"kind":"inSource"}]`), ""},
		"suppression refused":    {one(`"message":{"text":"m"},"suppressions":[{"status":"rejected"}]`), "a.go:3 warning  m"},
		"not suppressed":         {one(`"message":{"text":"m"},"suppressions":[]`), "a.go:3 warning  m"},
		"unchanged":              {one(`"message":{"text":"m"},"baselineState":"unchanged"`), ""},
		"absent":                 {one(`"message":{"text":"m"},"baselineState":"absent"`), ""},
		"new":                    {one(`"message":{"text":"m"},"baselineState":"new"`), "a.go:3 warning  m"},
		"base":                   {one(at("a.go", `,"uriBaseId":"SUB"`)), "pkg/a.go:0 warning  m"},
		"base that is not given": {one(at("a.go", `,"uriBaseId":"%SRCROOT%"`)), "a.go:0 warning  m"},
		"base of itself":         {one(at("a.go", `,"uriBaseId":"LOOP"`)), ""},
		"base elsewhere":         {one(at("passwd", `,"uriBaseId":"OUT"`)), ""},
		"out of the base":        {one(at("../../a.go", `,"uriBaseId":"SUB"`)), ""},
		"absolute":               {one(at("file:///home/runner/work/shop/shop/c%20d.go", "")), "c d.go:0 warning  m"},
		"absolute elsewhere":     {one(at("file:///home/runner/work/shop/shops/c.go", "")), ""},
		"another host":           {one(at("file://host/home/runner/work/shop/shop/c.go", "")), ""},
		"web":                    {one(at("https://example.com/a.go", "")), ""},
		"up":                     {one(at("../a.go", "")), ""},
		"up in the middle":       {one(at("a/%2e%2e/%2e%2e/b.go", "")), ""},
		"root itself":            {one(at(".", "")), ""},
		"line end":               {one(at("a%0Ab.go", "")), ""},
		"by index": {
			one(`"message":{"text":"m"},"locations":[{"physicalLocation":{"artifactLocation":{"index":0}}}]`), "b.go:0 warning  m",
		},
		"nowhere":            {one(`"message":{"text":"m"},"locations":[]`), ""},
		"message over lines": {one(`"message":{"text":"a\n\n# b \u202e c\u0007"}`), "a.go:3 warning  a # b c"},
		"long message": {
			one(`"message":{"text":"` + strings.Repeat("ä", 5000) + `"}`), "a.go:3 warning  " + strings.Repeat("ä", 1000) + "…",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			log, err := sarif.Parse([]byte(c.in), root)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, results := range log.ByFile {
				for _, r := range results {
					security := ""
					if r.Security {
						security = "security "
					}
					got = append(got, fmt.Sprintf("%s:%d %s %s%s %s", r.File, r.Line, r.Level, security, r.Rule, r.Message))
				}
			}
			if diff := cmp.Diff(c.want, strings.Join(got, "\n")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestParseRefuses: a file that cannot be read whole is an error, never a file without results.
func TestParseRefuses(t *testing.T) {
	t.Parallel()
	many := strings.Repeat(`{"message":{"text":"m"}},`, 50_000) + `{"message":{"text":"m"}}`
	for name, c := range map[string]struct{ in, want string }{
		"empty":             {"", "no JSON"},
		"list":              {"[]", "no SARIF"},
		"no version":        {`{"runs":[]}`, "no SARIF 2.1.0"},
		"old version":       {`{"version":"2.0.0","runs":[]}`, "no SARIF 2.1.0"},
		"no runs":           {`{"version":"2.1.0"}`, "no SARIF 2.1.0"},
		"cut off":           {one(`"message":{"text":"m"}`)[:200], "no JSON"},
		"more":              {file("") + "{}", "after top-level value"},
		"key twice":         {`{"version":"2.1.0","version":"2.1.0","runs":[]}`, "twice"},
		"deep":              {`{"version":"2.1.0","runs":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`, "nested"},
		"no tool":           {file(`{"results":[]}`), "names no tool"},
		"unknown level":     {one(`"level":"fatal","message":{"text":"m"}`), `level "fatal"`},
		"line of a text":    {one(`"message":{"text":"m"},"locations":[{"physicalLocation":{"region":{"startLine":"3"}}}]`), "no SARIF"},
		"too many":          {file(`{"tool":{"driver":{"name":"lint"}},"results":[` + many + `]}`), "more than 50000 results"},
		"larger than 32 Mi": {strings.Repeat(" ", sarif.MaxFile+1), "at most 32 MiB"},
	} {
		if _, err := sarif.Parse([]byte(c.in)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.sarif")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(one(at("a.go", `,"uriBaseId":"LOOP"`))))
	f.Fuzz(func(t *testing.T, data []byte) {
		log, err := sarif.Parse(data, root)
		if err != nil {
			return
		}
		for file, results := range log.ByFile {
			if !filepath.IsLocal(file) || filepath.Clean(file) != file {
				t.Errorf("path %q", file)
			}
			for _, r := range results {
				words := strings.ContainsAny(r.Message+r.Rule+r.Tool, "\n\r\x00")
				if r.File != file || r.Line < 0 || r.EndLine < r.Line || r.Tool == "" || words {
					t.Errorf("%+v", r)
				}
			}
		}
	})
}
