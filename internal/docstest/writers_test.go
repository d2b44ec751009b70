package docstest

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/pelletier/go-toml/v2"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/programtest"
)

// clientConfig is what a client starts.
type clientConfig struct {
	Type    string            `json:"type"`
	Command string            `json:"command" toml:"command"`
	Args    []string          `json:"args" toml:"args"`
	Env     map[string]string `json:"env"`
	EnvVars []string          `json:"-" toml:"env_vars"`
	Timeout int               `json:"-" toml:"tool_timeout_sec"`
}

// TestClientConfigurations starts what each configuration says, with what its
// client puts in place of its variables, and finds the tools.
func TestClientConfigurations(t *testing.T) {
	bin := t.TempDir()
	if _, err := programtest.Build(bin, "workflow-reviewer"); err != nil {
		t.Fatal(err)
	}
	repo := t.TempDir()
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"},
		{"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "Begin"},
	} {
		if out, err := exec.Command("git", append([]string{"-C", repo}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	var tools []*mcp.Tool
	for name, read := range map[string]func(*testing.T, []byte) clientConfig{
		"codex.toml": codexConfig, "claude-code.json": mcpServers, "cursor.json": mcpServers, "vscode.json": vscodeServers,
	} {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(root, "examples", "mcp", name))
			if err != nil {
				t.Fatal(err)
			}
			tools = toolsOf(t, read(t, data), bin, repo)
			if len(tools) != 11 {
				t.Errorf("%d tools", len(tools))
			}
		})
	}
	t.Run("roles", func(t *testing.T) { checkRoles(t, tools) })
}

// strict decodes JSON and refuses what the client does not know.
func strict(t *testing.T, data []byte, into any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		t.Fatal(err)
	}
}

func only(t *testing.T, servers map[string]clientConfig) clientConfig {
	t.Helper()
	c, ok := servers["workflow-reviewer"]
	if !ok || len(servers) != 1 {
		t.Fatalf("servers %v", servers)
	}
	return c
}

// mcpServers is the file of Claude Code and of Cursor.
func mcpServers(t *testing.T, data []byte) clientConfig {
	var file struct {
		Servers map[string]clientConfig `json:"mcpServers"`
	}
	strict(t, data, &file)
	return only(t, file.Servers)
}

func vscodeServers(t *testing.T, data []byte) clientConfig {
	var file struct {
		Inputs []struct {
			Type, ID, Description string
			Password              bool
		} `json:"inputs"`
		Servers map[string]clientConfig `json:"servers"`
	}
	strict(t, data, &file)
	if len(file.Inputs) != 1 || file.Inputs[0].Type != "promptString" || !file.Inputs[0].Password {
		t.Errorf("inputs %+v", file.Inputs)
	}
	c := only(t, file.Servers)
	if c.Env["OPENAI_API_KEY"] != "${input:"+file.Inputs[0].ID+"}" {
		t.Errorf("env %v", c.Env)
	}
	return c
}

// codexConfig is read by codex itself, too.
func codexConfig(t *testing.T, data []byte) clientConfig {
	var file struct {
		Servers map[string]clientConfig `toml:"mcp_servers"`
	}
	d := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		t.Fatal(err)
	}
	c := only(t, file.Servers)
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "config.toml"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(codextest.Binary(t), "mcp", "get", "workflow-reviewer", "--json")
	cmd.Env = []string{"HOME=" + home, "CODEX_HOME=" + home, "PATH=/usr/bin:/bin"}
	out, err := cmd.Output()
	var known struct {
		Enabled   bool
		Transport struct {
			Command string
			Args    []string
			EnvVars []string `json:"env_vars"`
		}
		Timeout float64 `json:"tool_timeout_sec"`
	}
	if err != nil || json.Unmarshal(out, &known) != nil || !known.Enabled || known.Transport.Command != c.Command ||
		!slices.Equal(known.Transport.Args, c.Args) || !slices.Equal(known.Transport.EnvVars, c.EnvVars) ||
		int(known.Timeout) != c.Timeout {
		t.Errorf("codex reads it as %s, %v", out, err)
	}
	return c
}

var variable = regexp.MustCompile(`\$\{[^}]*\}`)

// toolsOf starts a server as a client would, and lists its tools.
func toolsOf(t *testing.T, c clientConfig, bin, repo string) []*mcp.Tool {
	t.Helper()
	if c.Type != "stdio" && c.Type != "" {
		t.Errorf("type %q", c.Type)
	}
	fill := func(s string) string {
		return variable.ReplaceAllStringFunc(s, func(v string) string {
			switch v {
			case "${workspaceFolder}":
				return repo
			case "${OPENAI_API_KEY}", "${env:OPENAI_API_KEY}", "${input:openai-api-key}":
				return "" // the built-in checks review
			}
			t.Errorf("variable %s is unknown", v)
			return ""
		})
	}
	args := make([]string, 0, len(c.Args))
	for _, a := range c.Args {
		args = append(args, fill(a))
	}
	cmd := exec.Command(filepath.Join(bin, c.Command), args...)
	cmd.Dir, cmd.Env = repo, []string{"PATH=/usr/bin:/bin", "HOME=" + t.TempDir(), "TMPDIR=" + t.TempDir()}
	for k, v := range c.Env {
		cmd.Env = append(cmd.Env, k+"="+fill(v))
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(),
		&mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	}()
	res, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return res.Tools
}

// checkRoles holds the last call of each role to the schema of its tool.
func checkRoles(t *testing.T, tools []*mcp.Tool) {
	want := map[string]string{
		"vision-writer": "request_vision_review", "scope-writer": "request_scope_review", "roadmap-writer": "request_roadmap_review",
		"spec-writer":     "request_spec_review",
		"skeleton-writer": "request_skeleton_review", "test-writer": "request_test_review",
		"implementation-writer": "request_implementation_review",
		"bug-recorder":          "request_bugfix_review",
	}
	files, err := filepath.Glob(filepath.Join(root, "examples", "roles", "*.md"))
	if err != nil || len(files) != len(want) {
		t.Fatalf("roles %q, %v", files, err)
	}
	fence := regexp.MustCompile("(?s)```json\n(.*?)```")
	for _, file := range files {
		role := strings.TrimSuffix(filepath.Base(file), ".md")
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		blocks := fence.FindAllSubmatch(data, -1)
		for i, b := range blocks {
			var call struct {
				Name      string
				Arguments map[string]any
			}
			if err := json.Unmarshal(b[1], &call); err != nil {
				t.Fatalf("%s: %v\n%s", role, err, b[1])
			}
			if i == len(blocks)-1 && call.Name != want[role] {
				t.Errorf("%s ends with %q, not with %q", role, call.Name, want[role])
			}
			k := slices.IndexFunc(tools, func(tool *mcp.Tool) bool { return tool.Name == call.Name })
			if k < 0 {
				t.Errorf("%s: no tool %q", role, call.Name)
				continue
			}
			c := jsonschema.NewCompiler()
			if err := c.AddResource("tool.json", tools[k].InputSchema); err != nil {
				t.Fatal(err)
			}
			if err := c.MustCompile("tool.json").Validate(call.Arguments); err != nil {
				t.Errorf("%s: %s: %v", role, call.Name, err)
			}
		}
		if len(blocks) == 0 {
			t.Errorf("%s has no call", role)
		}
	}
}
