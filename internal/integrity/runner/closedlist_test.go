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
			{js(""), js("passWithNoTests: !0")},
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
		"args": {
			".rspec",
			[]pair{{"--color\n", "--format doc\n--order rand\n"}},
			[]pair{{"", "--tag a\n"}, {"", "--unheard\n"}, {"--fail-if-no-examples\n", ""}, {"", "-rx\n"}},
		},
		"shell": {
			"tox.ini",
			[]pair{{"[testenv]\ncommands = pytest\n", "[testenv]\ncommands =\n  ls\n  pytest\n"}},
			[]pair{
				{"[testenv]\ncommands = pytest\n", "[testenv]\ncommands = - pytest\n"},
				{"[testenv]\ncommands = pytest\n", "[testenv]\ncommands =\n  cp a b\n  pytest\n"},
			},
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
			if r := runner.Compare(t.Context(), c.path, []byte(p.before), []byte(p.after), around); len(r.Violations) > 0 {
				t.Errorf("%s: %q → %q is a change: %+v", a.Name, p.before, p.after, r.Violations[0])
			}
		}
		for _, p := range c.fails {
			if r := runner.Compare(t.Context(), c.path, []byte(p.before), []byte(p.after), around); len(r.Violations) == 0 {
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
type allowance struct{ Name, Difference, Reason, Passes, Fails string }

func allowances(t *testing.T) (out []allowance) {
	t.Helper()
	for _, f := range list(t, "allowances") {
		out = append(out, allowance{f[0], f[1], f[2], f[3], f[4]})
	}
	return out
}

// inert is an entry of the list of commands that may stand beside a test run.
type inert struct{ What, Reason string }

func inertCommands(t *testing.T) (out []inert) {
	t.Helper()
	for _, f := range list(t, "commands") {
		if entry, ok := strings.CutPrefix(f[0], "= "); ok {
			what, reason, _ := strings.Cut(entry, " | ")
			out = append(out, inert{what, reason})
		}
	}
	return out
}

func matrix(entries string) string {
	return in("    steps", "    strategy:\n      matrix:\n        v: ["+entries+"]\n    steps")
}

// TestInertCommands: each entry lets its example stand beside a test run, and
// no counter-example.
func TestInertCommands(t *testing.T) {
	cases := map[string][2][]string{
		"look": {
			{"ls -la", "command -v jq", "node --version", "git status"},
			{"ls > tests/x", "cat $(rm tests/a)", "./fake --version", "git checkout main", "git clean -fdx", "command rm x"},
		},
		"Python": {
			{"pip install -U pip", "python -m pip install -r requirements-dev.txt", "poetry install --with dev", "uv sync"},
			{
				"pip install ./fake", "pip install https://x/y", "pip install a@file:x", "pip install -t tests x", "pip uninstall pytest",
				"pip install --target=tests x",
			},
		},
		"JavaScript": {
			{"npm ci", "yarn install --frozen-lockfile", "pnpm i", "npm install jest@30"},
			{"npm install ./x", "npm install jest@file:x", "npm install git+ssh://x", "npm link x", "npm install a/b/c"},
		},
		"other languages": {
			{"go mod download", "bundle install", "cargo fetch", "go install a.io/b@v1"},
			{"go mod edit -replace a=b", "gem install ./x.gem", "cargo install --path x", "go get x"},
		},
		"the system": {{"sudo apt-get install -y jq", "apt-get update"}, {"apt-get install ./x.deb", "sudo rm x"}},
		"linters": {
			{"ruff check .", "npx eslint src", "go vet ./...", "cargo clippy"},
			{"eslint -o tests/a.js .", "tsc --outDir tests", "go build -o pytest ./x", "go run ./x", "go generate ./..."},
		},
		"folders": {
			{"mkdir -p reports", "rm -rf dist coverage"},
			{"rm -rf tests", "rm -rf dist tests", "mkdir tests", "rm -rf dist/../tests"},
		},
		"containers": {{"docker compose up -d"}, {"docker run x", "docker compose exec a b"}},
		"reports":    {{"coverage xml", "go tool cover -func=c.out"}, {"coverage erase", "coverage run x.py"}},
	}
	for _, i := range inertCommands(t) {
		found := false
		for key, c := range cases {
			if !strings.Contains(i.What, key) {
				continue
			}
			found = true
			for _, cmd := range c[0] {
				if r := runner.Compare(t.Context(), ci, []byte(flow), []byte(run(cmd, "pytest tests"))); len(r.Violations) > 0 {
					t.Errorf("%s: %q is a change: %s", i.What, cmd, r.Violations[0].Description)
				}
			}
			for _, cmd := range c[1] {
				if r := runner.Compare(t.Context(), ci, []byte(flow), []byte(run(cmd, "pytest tests"))); len(r.Violations) == 0 {
					t.Errorf("%s: %q is harmless", i.What, cmd)
				}
			}
		}
		if !found {
			t.Errorf("%s has no examples", i.What)
		}
	}
}

// TestFollows: a configuration may follow tests that moved, and nothing else.
func TestFollows(t *testing.T) {
	before := ini("testpaths = tests\n")
	tests := map[string]string{"tests/test_a.py": "spec/test_a.py", "tests/b/test_b.py": "spec/b/test_b.py"}
	for name, c := range map[string]struct {
		after string
		tests map[string]string
		moved bool
	}{
		"all tests moved":    {ini("testpaths = spec\n"), tests, true},
		"to another place":   {ini("testpaths = other\n"), tests, false},
		"and something else": {ini("testpaths = spec\naddopts = -k a\n"), tests, false},
		"one stayed": {ini("testpaths = spec\n"), map[string]string{
			"tests/test_a.py": "spec/test_a.py",
			"tests/test_c.py": "tests/test_c.py",
		}, false},
		"one is gone": {
			ini("testpaths = spec\n"),
			map[string]string{"tests/test_a.py": "spec/test_a.py", "tests/test_c.py": ""},
			false,
		},
		"nothing is known": {ini("testpaths = spec\n"), nil, false},
	} {
		r := runner.Compare(t.Context(), "pytest.ini", []byte(before), []byte(c.after), runner.Surroundings{Tests: c.tests})
		if (len(r.Violations) == 0) != c.moved {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func ini(s string) string { return "[pytest]\n" + s }

// TestDocuments keeps the closed lists of docs/integrity.md to the code.
func TestDocuments(t *testing.T) {
	var settings, commands, files strings.Builder
	settings.WriteString("| name | harmless if | because | passes | does not |\n|---|---|---|---|---|\n")
	for _, a := range allowances(t) {
		fmt.Fprintf(&settings, "| %s | %s | %s | %s | %s |\n", a.Name, a.Difference, a.Reason, a.Passes, a.Fails)
	}
	commands.WriteString("| command | because |\n|---|---|\n")
	for _, i := range inertCommands(t) {
		fmt.Fprintf(&commands, "| %s | %s |\n", i.What, i.Reason)
	}
	files.WriteString("| file | loaded by |\n|---|---|\n")
	for _, a := range list(t, "autoload") {
		fmt.Fprintf(&files, "| %s | %s |\n", a[0], a[1])
	}
	doc := filepath.Join("..", "..", "..", "docs", "integrity.md")
	for _, part := range [][2]string{
		{"harmless settings", settings.String()},
		{"commands beside tests", commands.String()},
		{"files loaded by themselves", files.String()},
	} {
		generated.Part(t, doc, part[0], part[1], *update)
	}
}
