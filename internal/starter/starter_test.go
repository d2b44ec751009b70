package starter_test

import (
	"bytes"
	"flag"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rhysd/actionlint"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/starter"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// projects are repositories as they are found, by name.
var projects = map[string]map[string]string{
	"empty": {"README.md": "# Nothing yet\n"},
	"python": {
		"pyproject.toml": "[project]\nname = \"shop\"\n\n[tool.pytest.ini_options]\n", "shop/cart.py": "", "shop/tax.py": "",
		"tests/test_cart.py":          "def test_total():\n    assert True\n",
		".github/workflows/ci.yml":    "on: pull_request\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps: [{run: pytest}]\n",
		"node_modules/x/package.json": `{"scripts":{"test":"jest"}}`,
	},
	"python without settings": {"calc.py": "", "test_calc.py": "import unittest\n"},
	"typescript": {
		"package.json":      `{"name":"shop","scripts":{"build":"tsc","test":"vitest run"}}`,
		"package-lock.json": "{}", "src/cart.ts": "", "src/cart.test.ts": "", ".specify/memory/constitution.md": "# Constitution\n",
		"specs/001-cart/spec.md": "# Cart\n",
	},
	"no tests": {
		"package.json": `{"scripts":{"test":"echo \"Error: no test specified\" && exit 1"}}`,
		"index.js":     "",
	},
	"go": {
		"go.mod":             "module shop\n\ngo 1.24\n",
		"cart.go":            "package shop\n",
		"cart_test.go":       "package shop\n\nfunc TestCart(*testing.T) {}\n",
		"tools/go.mod":       "module tools\n",
		"tools/tool_test.go": "package tools\n\nfunc TestTool(*testing.T) {}\n",
		"gen/go.mod":         "module gen\n",
		"specs/todo/cart.md": "# Cart\n",
	},
	"java": {
		"pom.xml":                      "<project/>",
		"mvnw":                         "#!/bin/sh\n",
		"core/pom.xml":                 "<project/>",
		"core/src/main/java/Cart.java": "",
	},
	"monorepo": {
		"packages/api/pyproject.toml": "[project]\ndependencies = ['pytest']\n", "packages/api/specs/todo/login.md": "# Login\n",
		"packages/web/package.json": `{"scripts":{"test":"vitest run"}}`, "packages/web/pnpm-lock.yaml": "",
		"packages/web/specs/proposed/cart.md": "# Cart\n", "packages/web/src/cart.ts": "", "services/pay/go.mod": "module pay\n", "services/pay/pay_test.go": "func TestPay(*testing.T) {}\n",
		"examples/old/package.json": `{"scripts":{"test":"jest"}}`,
	},
}

// makeProject writes a project's files.
func makeProject(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func run(t *testing.T, dir string, args ...string) (out string, code int) {
	t.Helper()
	var b bytes.Buffer
	code = starter.Run(starter.Env{
		Dir: dir, Root: func(dir string) string { return dir }, Repository: "acme/workflow-reviewer", Stdout: &b, Stderr: &b,
	}, args)
	return b.String(), code
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestInit: what is written for each project is valid, complete and as expected.
func TestInit(t *testing.T) {
	for name, files := range projects {
		t.Run(name, func(t *testing.T) {
			dir := makeProject(t, files)
			out, code := run(t, dir)
			if code != 0 {
				t.Fatalf("status %d: %s", code, out)
			}
			workflow, settings := read(
				t,
				dir,
				starter.WorkflowPath,
			), read(
				t,
				dir,
				starter.ConfigPath,
			)
			lint(t, workflow)
			parse(t, settings)
			golden(t, name, out+"\n--- workflow\n"+workflow+"\n--- config\n"+settings)
		})
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", strings.ReplaceAll(name, " ", "-")+".txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s is not as expected:\n%s", file, d)
	}
}

func lint(t *testing.T, text string) {
	t.Helper()
	linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	problems, err := linter.Lint("workflow-review.yml", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Error(p)
	}
}

// parse reads a config as a run does, and as an editor does.
func parse(t *testing.T, text string) {
	t.Helper()
	in, err := config.ParseInputs(map[string]string{"INPUT_ENGINE": "rules"})
	if err != nil {
		t.Fatal(err)
	}
	file, notices, err := config.ParseFile(config.DefaultPath, []byte(text))
	if err != nil || len(notices) > 0 {
		t.Fatalf("%v, %v", notices, err)
	}
	if _, notices, err := config.Resolve(in, file); err != nil || len(notices) > 0 {
		t.Errorf("%v, %v", notices, err)
	}
	schema, err := jsonschema.NewCompiler().Compile("../../schema/config.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Error(err)
	}
}

// TestInitKeepsWhatIsThere: nothing is overwritten, and no second workflow reviews beside a first
// one.
func TestInitKeepsWhatIsThere(t *testing.T) {
	const own, mine = "jobs: {review: {steps: [{uses: acme/workflow-reviewer@v1}]}}\n", "{}\n"
	dir := makeProject(
		t,
		map[string]string{".github/workflows/reviews.yaml": own, starter.ConfigPath: mine},
	)
	out, code := run(t, dir)
	if code != 0 || strings.Count(out, "Kept ") != 2 || strings.Contains(out, "Wrote") {
		t.Errorf("status %d: %s", code, out)
	}
	if read(t, dir, ".github/workflows/reviews.yaml") != own ||
		read(t, dir, starter.ConfigPath) != mine {
		t.Error("something was overwritten")
	}
	if _, err := os.Stat(filepath.Join(dir, starter.WorkflowPath)); err == nil {
		t.Error("there are two workflows")
	}
}

// TestInitPrint writes nothing.
func TestInitPrint(t *testing.T) {
	dir := makeProject(t, projects["go"])
	out, code := run(t, dir, "--print", "--layout", "kiro", "--engine", "codex")
	for _, part := range []string{"# " + starter.WorkflowPath, "openai-api-key: ${{ secrets.OPENAI_API_KEY }}", `"kiro"`} {
		if code != 0 || !strings.Contains(out, part) {
			t.Errorf("status %d, without %q:\n%s", code, part, out)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, ".workflow")); err == nil {
		t.Error("something was written")
	}
}

func TestInitRefuses(t *testing.T) {
	dir := makeProject(t, nil)
	for want, args := range map[string][]string{
		`--layout "nope" is not one of workflow`:     {"--layout", "nope"},
		`--engine "gpt" is not one of codex`:         {"--engine", "gpt"},
		`unexpected argument "here"`:                 {"here"},
		"unknown flag --prnt; did you mean --print?": {"--prnt"},
	} {
		if out, code := run(t, dir, args...); code != 2 || !strings.Contains(out, want) {
			t.Errorf("%q: status %d: %s", args, code, out)
		}
	}
	var b bytes.Buffer
	if code := starter.Run(starter.Env{Dir: dir, Root: func(string) string { return "" }, Stdout: &b, Stderr: &b}, nil); code != 2 ||
		!strings.Contains(b.String(), "git init") {
		t.Errorf("status %d: %s", code, b.String())
	}
}

// TestInitFollowsNoLink: a link in place of a folder leads nothing out of the repository.
func TestInitFollowsNoLink(t *testing.T) {
	outside, dir := t.TempDir(), makeProject(t, nil)
	if err := os.Symlink(outside, filepath.Join(dir, ".github")); err != nil {
		t.Fatal(err)
	}
	if out, code := run(t, dir); code != 2 {
		t.Errorf("status %d: %s", code, out)
	}
	if found, err := fs.Glob(os.DirFS(outside), "*"); err != nil || len(found) > 0 {
		t.Errorf("%v, %v", found, err)
	}
}

// TestEarlierEvidence executes the step that takes the evidence of an earlier run, with a gh that
// knows two runs.
func TestEarlierEvidence(t *testing.T) {
	dir := makeProject(t, projects["go"])
	if out, code := run(t, dir); code != 0 {
		t.Fatal(out)
	}
	var w struct {
		Jobs map[string]struct {
			Steps []struct{ ID, Run string }
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, dir, starter.WorkflowPath)), &w); err != nil {
		t.Fatal(err)
	}
	script := ""
	for _, s := range w.Jobs["review"].Steps {
		script += s.Run
	}
	const gh = `#!/bin/sh
echo "$*" >> calls
case "$*" in
*pulls/7*) echo c0ffee ;;
*head_sha=c0ffee*) printf '11\n12\n' ;;
*"download 11"*) exit 1 ;;
*"download 12"*) echo '{}' > evidence.json ;;
*) exit 1 ;;
esac
`
	for name, c := range map[string]struct {
		env  []string
		want string
	}{
		"comment":   {[]string{"NUMBER=7", "HEAD="}, "evidence=evidence.json\n"},
		"label":     {[]string{"NUMBER=", "HEAD=c0ffee"}, "evidence=evidence.json\n"},
		"never ran": {[]string{"NUMBER=", "HEAD=deadbeef"}, ""},
	} {
		work := makeProject(t, map[string]string{"bin/gh": gh, "output": ""})
		if err := os.Chmod(filepath.Join(work, "bin/gh"), 0o700); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("bash", "-e", "-c", script)
		cmd.Dir = work
		cmd.Env = slices.Concat(c.env, []string{
			"PATH=" + work + "/bin:/usr/bin:/bin", "GITHUB_REPOSITORY=acme/shop", "GITHUB_OUTPUT=" + work + "/output",
		})
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
		if got := read(t, work, "output"); got != c.want {
			t.Errorf("%s: %q, want %q\n%s", name, got, c.want, read(t, work, "calls"))
		}
	}
}

// TestEveryAdvertisedCommand: the workflow listens to whatever a comment of ours tells people to
// do.
func TestEveryAdvertisedCommand(t *testing.T) {
	text := starter.Project{}.Workflow(
		starter.Options{Engine: config.Rules, Repository: "acme/workflow-reviewer"},
	)
	var on struct{ On map[string]any }
	if err := yaml.Unmarshal([]byte(text), &on); err != nil {
		t.Fatal(err)
	}
	for _, event := range []string{"pull_request", "issue_comment", "check_run", "merge_group"} {
		if _, ok := on.On[event]; !ok {
			t.Errorf("it does not listen to %s", event)
		}
	}
	for _, command := range []string{"/review", "/override ", "/dismiss ", "/test-bug "} {
		if !strings.Contains(text, "contains(github.event.comment.body, '"+command+"')") {
			t.Errorf("a comment %q starts nothing", command)
		}
	}
}
