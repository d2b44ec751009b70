package docstest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/programtest"
)

// manifest is a plugin's, as both clients read it.
type manifest struct {
	Name, Description, License string
	Author                     struct{ Name string }
	Skills, Hooks              string
	MCPServers                 map[string]struct {
		clientConfig
		EnvVars []string `json:"env_vars"`
		Timeout int      `json:"tool_timeout_sec"`
	} `json:"mcpServers"`
}

func readJSON(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	strict(t, data, into)
}

// TestPluginManifests: both clients get the same plugin, and start the server that the examples start.
func TestPluginManifests(t *testing.T) {
	var claude, codex manifest
	readJSON(t, "plugin/.claude-plugin/plugin.json", &claude)
	readJSON(t, "plugin/.codex-plugin/plugin.json", &codex)
	if claude.Name != codex.Name || claude.Description != codex.Description {
		t.Errorf("%+v\n%+v", claude, codex)
	}
	for _, m := range []manifest{claude, codex} {
		server := m.MCPServers["workflow-reviewer"]
		if server.Command != "workflow-reviewer" || !slices.Equal(server.Args, []string{"serve"}) {
			t.Errorf("%+v", server)
		}
	}
	if claude.MCPServers["workflow-reviewer"].Env["OPENAI_API_KEY"] != "${OPENAI_API_KEY:-}" ||
		!slices.Equal(codex.MCPServers["workflow-reviewer"].EnvVars, []string{"OPENAI_API_KEY"}) {
		t.Error("the key is not handed on")
	}
	for _, p := range []string{codex.Skills, codex.Hooks} {
		if _, err := os.Stat(filepath.Join(root, "plugin", p)); err != nil {
			t.Error(err)
		}
	}
}

// TestPluginSkills keeps the skills equal to the roles of the examples.
func TestPluginSkills(t *testing.T) {
	roles, err := filepath.Glob(filepath.Join(root, "examples/roles/*.md"))
	if err != nil || len(roles) == 0 {
		t.Fatal(roles, err)
	}
	for _, role := range roles {
		name := strings.TrimSuffix(filepath.Base(role), ".md")
		file := filepath.Join(root, "plugin/skills", name, "SKILL.md")
		want, err := os.ReadFile(role)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		front, body, ok := strings.Cut(strings.TrimPrefix(string(got), "---\n"), "\n---\n\n")
		var about struct{ Name, Description string }
		if err := yaml.Unmarshal([]byte(front), &about); err != nil || !ok || about.Name != name || len(about.Description) < 40 {
			t.Errorf("%s: %v: front matter %q", name, err, front)
		}
		if *update {
			if err := os.WriteFile(file, []byte("---\n"+front+"\n---\n\n"+string(want)), 0o600); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if d := cmp.Diff(string(want), body); d != "" {
			t.Errorf("%s is not its role (make generate):\n%s", file, d)
		}
	}
}

// TestPluginInCodex installs the plugin in codex, and finds the server there.
func TestPluginInCodex(t *testing.T) {
	home := t.TempDir()
	top, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	codex := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(codextest.Binary(t), args...)
		cmd.Env = []string{"HOME=" + home, "CODEX_HOME=" + home, "PATH=/usr/bin:/bin"}
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("codex %q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	codex("plugin", "marketplace", "add", top)
	codex("plugin", "add", "workflow-reviewer@workflow-reviewer")
	if out := codex("plugin", "list", "--json"); !strings.Contains(out, `"enabled": true`) {
		t.Errorf("the plugin is not enabled:\n%s", out)
	}
	if out := codex("mcp", "list"); !regexp.MustCompile(`(?m)^workflow-reviewer +workflow-reviewer +serve +OPENAI_API_KEY=`).MatchString(out) {
		t.Errorf("the server is not there:\n%s", out)
	}
	installed, err := filepath.Glob(filepath.Join(home, "plugins/cache/workflow-reviewer/workflow-reviewer/*/*/*"))
	if err != nil || !slices.ContainsFunc(installed, func(p string) bool { return strings.HasSuffix(p, "hooks/hooks.json") }) {
		t.Errorf("the hooks are not installed: %q, %v", installed, err)
	}
}

// TestPluginInClaudeCode has the client validate the plugin and the marketplace.
func TestPluginInClaudeCode(t *testing.T) {
	out, err := exec.Command("sh", filepath.Join(root, "scripts/install-npm.sh"), "claude-code").Output()
	if err != nil {
		t.Fatalf("install Claude Code: %v\n%s", err, out)
	}
	programs, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "node_modules/@anthropic-ai/claude-code-*/claude"))
	if err != nil || len(programs) == 0 {
		t.Fatalf("Claude Code has no program for this platform: %v", err)
	}
	for _, what := range []string{"plugin", "."} {
		cmd := exec.Command(programs[0], "plugin", "validate", what)
		cmd.Dir = root
		cmd.Env = []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}
		if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), "error") {
			t.Errorf("%s: %v\n%s", what, err, out)
		}
	}
}

// stopCommand is what the plugin has the client run when its agent stops.
func stopCommand(t *testing.T) string {
	t.Helper()
	var hooks struct {
		Description string
		Hooks       map[string][]struct {
			Hooks []struct {
				Type, Command string
				Timeout       int
			}
		}
	}
	readJSON(t, "plugin/hooks/hooks.json", &hooks)
	return hooks.Hooks["Stop"][0].Hooks[0].Command
}

// TestStopHook: an agent that weakened an approved test is told so in three lines, once; nothing else keeps it.
func TestStopHook(t *testing.T) {
	const tests = "def test_one():\n    assert one() == 1\n"
	bin := t.TempDir()
	if _, err := programtest.Build(bin, "workflow-reviewer"); err != nil {
		t.Fatal(err)
	}
	record := oneRecord(tests)
	for name, c := range map[string]struct {
		record, test, input string
		path                string // of programs
		blocked             bool
	}{
		"weakened":          {record, "def test_one():\n    assert one()\n", `{"stop_hook_active":false,"hook_event_name":"Stop"}`, bin, true},
		"told already":      {record, "def test_one():\n    assert one()\n", `{"stop_hook_active":true}`, bin, false},
		"honest":            {record, tests, `{"stop_hook_active":false}`, bin, false},
		"cannot be read":    {"{}", "def test_one():\n    assert one()\n", `{}`, bin, false},
		"input is no JSON":  {record, "def test_one():\n    assert one()\n", "stop", bin, true},
		"no program":        {record, "def test_one():\n    assert one()\n", `{}`, "/nonexistent", false},
		"nothing is stated": {record, tests, "", bin, false},
	} {
		t.Run(name, func(t *testing.T) {
			g := newClone(t, bin, map[string]string{
				"tests/test_one.py": tests, "one.py": "def one():\n    return 1\n", ".workflow/approvals/one.json": c.record,
			})
			if err := os.WriteFile(filepath.Join(g.dir, "tests/test_one.py"), []byte(c.test), 0o600); err != nil {
				t.Fatal(err)
			}
			out := stop(t, g.dir, c.path, c.input)
			if blocked := out != ""; blocked != c.blocked {
				t.Fatalf("answered %q", out)
			}
			if !c.blocked {
				return
			}
			var answer struct{ Decision, Reason string }
			if err := json.Unmarshal([]byte(out), &answer); err != nil || answer.Decision != "block" ||
				strings.Count(answer.Reason, "\n") != 2 || !strings.Contains(answer.Reason, "tests/test_one.py:2") {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	if out := stop(t, t.TempDir(), bin, `{"cwd":"/nonexistent"}`); out != "" {
		t.Errorf("no repository: %q", out)
	}
}

// stop runs the hook as a client does.
func stop(t *testing.T, dir, path, input string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", stopCommand(t))
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(input)
	cmd.Env = []string{"PATH=" + path + ":/usr/bin:/bin", "HOME=" + t.TempDir(), "TMPDIR=" + t.TempDir()}
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("the hook fails: %v", err)
	}
	return string(out)
}
