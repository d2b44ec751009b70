package runner_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"workflow-reviewer/internal/docstest/generated"
	"workflow-reviewer/internal/integrity/runner"
)

// TestAllowances: each entry of the closed list lets its example pass, and
// holds to its counter-examples.
func TestAllowances(t *testing.T) {
	type pair struct{ before, after string }
	ini := func(s string) string { return "[pytest]\n" + s + "\n" }
	js := func(s string) string { return "{ " + s + " }\n" }
	cases := map[string]struct {
		path  string
		pass  []pair
		fails []pair
	}{
		"free": {
			"pyproject.toml",
			[]pair{{"[tool.black]\nline-length = 88\n", "[tool.black]\nline-length = 99\n"}},
			[]pair{{"[tool.black]\n", "[tool.pytest.ini_options]\nx = 1\n"}, {"[tool.black]\n", "[tool.blacker]\nx = 1\n"}},
		},
		"more": {"pytest.ini", []pair{
			{ini("testpaths = a"), ini("testpaths = a b")},
			{ini("testpaths = a/b"), ini("testpaths = a")},
			{ini("testpaths = a"), ini("")},
		}, []pair{
			{ini("testpaths = a b"), ini("testpaths = a")},
			{ini("testpaths = a"), ini("testpaths = a/b")},
			{ini(""), ini("testpaths = a")},
			{ini("testpaths = a"), ini("testpaths = a/../b")},
		}},
		"fewer": {
			"pytest.ini",
			[]pair{{ini("norecursedirs = a"), ini("norecursedirs = node_modules")}},
			[]pair{
				{ini(""), ini("norecursedirs = a")},
				{ini("norecursedirs = a"), ini("norecursedirs = a b")},
				{ini(""), ini("norecursedirs = *")},
			},
		},
		"higher": {
			".coveragerc",
			[]pair{{"[report]\nfail_under = 90\n", "[report]\nfail_under = 90.5\n"}},
			[]pair{
				{"[report]\nfail_under = 90\n", "[report]\nfail_under = 9\n"},
				{"[report]\nfail_under = 90\n", "[report]\n"},
				{"[report]\nfail_under = 90\n", "[report]\nfail_under = ninety\n"},
			},
		},
		"raised": {"jest.config.json", []pair{{
			js("coverageThreshold: {'./a': {lines: 90}}"),
			js("coverageThreshold: {'./a': {lines: 91}}"),
		}}, []pair{
			{js(""), js("coverageThreshold: {'./a': {lines: 90}}")},
			{js("coverageThreshold: {'./a': {lines: 90}}"), js("")},
		}},
		"lower": {
			".mocharc.json",
			[]pair{{`{"retries": 3}`, `{"retries": 1}`}, {`{"retries": 3}`, `{}`}},
			[]pair{{`{}`, `{"retries": 1}`}, {`{"retries": 1}`, `{"retries": 2}`}},
		},
		"on": {
			"pytest.ini",
			[]pair{{ini("xfail_strict = false"), ini("xfail_strict = true")}},
			[]pair{{ini("xfail_strict = true"), ini("xfail_strict = 0")}, {ini("xfail_strict = true"), ini("")}},
		},
		"off": {"jest.config.json", []pair{
			{js("passWithNoTests: true"), js("passWithNoTests: false")},
			{js("passWithNoTests: true"), js("verbose: true")},
		}, []pair{
			{js(""), js("passWithNoTests: true")},
			{js(""), js("passWithNoTests: 1")},
		}},
		"gone": {".mocharc.json", []pair{{`{"grep": "a"}`, `{}`}}, []pair{{`{}`, `{"grep": "a"}`}, {`{"grep": "a"}`, `{"grep": "b"}`}}},
		"known": {
			"jest.config.json",
			[]pair{{js("reporters: ['default']"), js("reporters: ['default', 'jest-junit']")}},
			[]pair{
				{js(""), js("reporters: ['./x']")},
				{js("reporters: ['./x']"), js("reporters: ['./y']")},
				{js(""), js("transform: {'a': 'ts-jest-fake'}")},
			},
		},
		"version": {
			"package.json",
			[]pair{{
				`{"devDependencies": {"jest": "1"}}`,
				`{"devDependencies": {"jest": "~2.0.1", "vite": "latest"}}`,
			}},
			[]pair{
				{`{"devDependencies": {"jest": "1"}}`, `{"devDependencies": {"jest": "file:x"}}`},
				{`{}`, `{"devDependencies": {"x": "https://x"}}`},
				{`{}`, `{"overrides": {"x": "npm:y@1"}}`},
				{`{}`, `{"devDependencies": {"x": "a/b"}}`},
				{`{}`, `{"devDependencies": {"x": "workspace:*"}}`},
			},
		},
		"variants": {
			".github/workflows/a.yml",
			[]pair{{matrix("1.2, 1.3"), matrix("1.3, 1.4, 1.5")}, {matrix("a"), matrix("a, b")}},
			[]pair{{matrix("1.2, 1.3"), matrix("1.3")}, {matrix("a, b"), matrix("a, c")}, {matrix("a, b"), matrix("'${{ x }}'")}},
		},
	}
	for _, a := range allowances(t) {
		c, ok := cases[a.Name]
		if !ok || len(c.pass) == 0 || len(c.fails) < 2 {
			t.Errorf("%s has no examples", a.Name)
			continue
		}
		around := runner.Surroundings{Unused: func(name string) bool { return name != "used" }}
		for _, p := range c.pass {
			if r := runner.Compare(c.path, []byte(p.before), []byte(p.after), around); len(r.Violations) > 0 {
				t.Errorf("%s: %q → %q is a change: %+v", a.Name, p.before, p.after, r.Violations[0])
			}
		}
		for _, p := range c.fails {
			if r := runner.Compare(c.path, []byte(p.before), []byte(p.after), around); len(r.Violations) == 0 {
				t.Errorf("%s: %q → %q is harmless: %q", a.Name, p.before, p.after, r.Harmless)
			}
		}
	}
}

// list are the lines of a closed list, without comments, split at tabs.
func list(t *testing.T, name string) (out [][]string) {
	t.Helper()
	data, err := os.ReadFile("data/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			out = append(out, strings.Split(line, "\t"))
		}
	}
	return out
}

// allowance is a difference of a setting that is harmless, with examples.
type allowance struct{ Name, Difference, Passes, Fails string }

func allowances(t *testing.T) (out []allowance) {
	t.Helper()
	for _, f := range list(t, "allowances") {
		out = append(out, allowance{f[0], f[1], f[3], f[4]})
	}
	return out
}

func matrix(entries string) string {
	return "on: pull_request\njobs:\n  unit:\n    strategy:\n      matrix:\n        v: [" + entries + "]\n    steps:\n      - run: pytest\n"
}

// TestDocuments keeps the closed lists of docs/internals/runners.md to the code.
func TestDocuments(t *testing.T) {
	var settings, files strings.Builder
	settings.WriteString("| name | harmless if | passes | does not |\n|---|---|---|---|\n")
	for _, a := range allowances(t) {
		fmt.Fprintf(&settings, "| %s | %s | %s | %s |\n", a.Name, a.Difference, a.Passes, a.Fails)
	}
	files.WriteString("| file | loaded by |\n|---|---|\n")
	for _, a := range list(t, "autoload") {
		fmt.Fprintf(&files, "| %s | %s |\n", a[0], a[1])
	}
	doc := filepath.Join("..", "..", "..", "docs", "internals", "runners.md")
	for _, part := range [][2]string{
		{"harmless settings", settings.String()},
		{"files loaded by themselves", files.String()},
	} {
		generated.Part(t, doc, part[0], part[1], *update)
	}
}
