package codex_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/codex/codextest"
)

// forbidden are the names of codex's own tools that act on the machine, the
// network, start further agents, ask somebody, or stand between the model and our tools.
var forbidden = []string{
	"apply_patch", "shell", "local_shell", "exec_command", "write_stdin", "unified_exec", "view_image",
	"web_search", "image_generation", "spawn_agent", "send_message", "update_plan", "js_repl", "clock", "sleep",
	"request_user_input", "tool_search",
}

// maxDeclared caps what declarations of tools cost each request, in bytes of JSON.
const maxDeclared = 8_000

// Whatever the model, it is shown our tools, by name and with their arguments, and little else.
func TestToolsOffered(t *testing.T) {
	for _, model := range append(bundledModels(t), "gpt-unknown", "") {
		t.Run("model "+model, func(t *testing.T) {
			t.Parallel()
			s := codextest.New(t, codextest.Always(approved))
			req := request()
			req.Model = model
			if _, err := engine(t, options(t, s)).Review(t.Context(), req); err != nil {
				t.Fatal(err)
			}
			tools := s.Requests()[0].Tools
			for _, name := range forbidden {
				if strings.Contains(tools, `"name":"`+name+`"`) || strings.Contains(tools, `"type":"`+name+`"`) ||
					strings.Contains(tools, "### `"+name+"`") {
					t.Errorf("the model is offered %s", name)
				}
			}
			declared := declarations(t, tools)
			for tool, argument := range map[string]string{
				"list_files": "pattern", "read_file": "path", "search": "query", "diff": "path",
			} {
				if !strings.Contains(declared[tool], argument) {
					t.Errorf("%s is not declared with its arguments: %q", tool, declared[tool])
				}
			}
			if len(tools) > maxDeclared {
				t.Errorf("the declarations take %d bytes, want at most %d", len(tools), maxDeclared)
			}
		})
	}
}

// bundledModels are the models that the pinned codex lists, those that it hides included.
func bundledModels(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command(codextest.Binary(t), "debug", "models", "--bundled").Output()
	if err != nil {
		t.Fatal(err)
	}
	var catalog struct{ Models []struct{ Slug string } }
	if err := json.Unmarshal(out, &catalog); err != nil || len(catalog.Models) < 5 {
		t.Fatalf("%d models, %v", len(catalog.Models), err)
	}
	var slugs []string
	for _, m := range catalog.Models {
		slugs = append(slugs, m.Slug)
	}
	return slugs
}

// declarations are the declared arguments of our tools by name: of functions their schema, of what
// JavaScript calls the type that the description of exec gives.
func declarations(t *testing.T, tools string) map[string]string {
	t.Helper()
	type function struct {
		Name, Description string
		Parameters        json.RawMessage
		Tools             []function
	}
	var all []function
	if err := json.Unmarshal([]byte(tools), &all); err != nil {
		t.Fatalf("%v: %s", err, tools)
	}
	declared := map[string]string{}
	for _, namespace := range all {
		for _, f := range namespace.Tools {
			if namespace.Name == "mcp__repo" {
				declared[f.Name] = string(f.Parameters)
			}
			for part := range strings.SplitSeq(f.Description, "declare const tools: { ") {
				head, _, _ := strings.Cut(part, "Promise<CallToolResult>")
				if name, arguments, ok := strings.Cut(head, "("); ok {
					declared[strings.TrimPrefix(name, "mcp__repo__")] = arguments
				}
			}
		}
	}
	return declared
}

func TestToolsCanBeNarrowed(t *testing.T) {
	s := codextest.New(t, codextest.Explore(approved,
		codextest.Call("search", map[string]string{"query": "mellon"}), codextest.Call("list_files", map[string]string{})))
	o := options(t, s)
	o.Tools = []string{"list_files"}
	if _, err := engine(t, o).Review(t.Context(), request()); err != nil {
		t.Fatal(err)
	}
	out := s.Requests()[2].Outputs
	if strings.Contains(out[0], "mellon is") || !strings.Contains(out[0], "unsupported call") || !strings.Contains(out[1], "plan.md") {
		t.Errorf("the tools answered %q", out)
	}
}

// A model that calls tools it was not offered gets nothing done, and nothing
// of the machine is told to it.
func TestHostileModel(t *testing.T) {
	for _, model := range []string{"gpt-5-codex", "gpt-5.5", "gpt-5.6-sol"} {
		t.Run(model, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			calls := attacks(t, dir)
			s := codextest.New(t, codextest.Explore(approved, calls...))
			req := request()
			req.Model = model
			reply, err := engine(t, options(t, s)).Review(t.Context(), req)
			if err != nil || reply.Text == "" {
				t.Fatalf("%+v, %v", reply, err)
			}
			all := s.Requests()
			out := strings.Join(all[len(all)-1].Outputs, "\n")
			if len(all) != len(calls)+1 {
				t.Errorf("%d requests, want %d", len(all), len(calls)+1)
			}
			if model == "gpt-5.6-sol" && !strings.Contains(out, codeModeTools) {
				t.Errorf("JavaScript sees other tools than %s: %s", codeModeTools, out)
			}
			if strings.Contains(out, "treasure") || strings.Contains(out, "root:") {
				t.Errorf("the model read the machine: %s", out)
			}
			untouched(t, dir)
		})
	}
}

// codeModeTools are all the tools that JavaScript in codex-code-mode-host can
// call: ours, and codex's view of the resources that our server has none of.
const codeModeTools = `["list_mcp_resource_templates","list_mcp_resources","mcp__repo__diff","mcp__repo__list_files",` +
	`"mcp__repo__read_file","mcp__repo__search","read_mcp_resource"]`

// attacks are calls that would read, change or leave dir's files.
func attacks(t *testing.T, dir string) []codextest.Response {
	t.Helper()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("treasure\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	marker := filepath.Join(dir, "marker")
	js := func(v any) string {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	sh := "cat " + file + "; touch " + marker
	patch := "*** Begin Patch\n*** Add File: " + marker + "\n+x\n*** Delete File: " + file + "\n*** End Patch\n"
	return []codextest.Response{
		codextest.Function("", "shell", js(map[string]any{"command": []string{"sh", "-c", sh}})),
		codextest.Function("", "local_shell", js(map[string]any{"command": []string{"sh", "-c", sh}})),
		codextest.Function("", "shell_command", js(map[string]any{"command": sh})),
		codextest.Function("", "exec_command", js(map[string]any{"cmd": sh})),
		codextest.Function("functions", "exec_command", js(map[string]any{"cmd": sh})),
		codextest.Custom("apply_patch", patch),
		codextest.Function("", "apply_patch", js(map[string]any{"input": patch})),
		codextest.Function("", "view_image", js(map[string]any{"path": file})),
		codextest.Function("", "web_search", js(map[string]any{"query": "x"})),
		codextest.Function("", "spawn_agent", js(map[string]any{"message": "go"})),
		codextest.Function("", "request_user_input", js(map[string]any{"questions": []any{}})),
		codextest.Function("", "no_such_tool", "{}"),
		codextest.Function("mcp__repo", "write_file", js(map[string]any{"path": marker})),
		codextest.Function("mcp__repo", "read_file", js(map[string]any{"path": file})),
		codextest.Function("mcp__repo", "read_file", js(map[string]any{"path": "../../../../etc/passwd"})),
		codextest.Function("", "read_mcp_resource", js(map[string]any{"server": "repo", "uri": "file://" + file})),
		codextest.Custom("exec", "text(Object.keys(tools)); await tools.exec_command({cmd: "+js(sh)+"})"),
		codextest.Custom("exec", "await tools.apply_patch("+js(patch)+")"),
		codextest.Custom("exec", `text(await (await import("node:fs")).readFileSync(`+js(file)+`, "utf8"))`),
		codextest.Custom("exec", `text(typeof fetch + typeof require + typeof process)`),
	}
}

// untouched asserts that dir holds what attacks put there.
func untouched(t *testing.T, dir string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{filepath.Join(dir, "file")}, names); d != "" {
		t.Errorf("files (-want +got):\n%s", d)
	}
}

// Taking apply_patch away is the first wall; this is the second: with the
// model catalog as codex brings it, gpt-5.5 has apply_patch, but the read-only
// sandbox and the approval policy "never" keep it from writing.
func TestPatchesAreRefused(t *testing.T) {
	dir := t.TempDir()
	o := options(t, patching(t, dir))
	bundled, err := exec.Command(o.Path, "debug", "models", "--bundled").Output()
	if err != nil {
		t.Fatal(err)
	}
	catalog := filepath.Join(t.TempDir(), "models.json")
	if err := os.WriteFile(catalog, bundled, 0o600); err != nil {
		t.Fatal(err)
	}
	e := engine(t, o)
	e.UseCatalog(catalog)
	if _, err := e.Review(t.Context(), request()); err != nil {
		t.Fatal(err)
	}
	untouched(t, dir)
}

// patching is a model that tries to patch files inside and outside of the
// working folder, and insists that the tool was offered.
func patching(t *testing.T, dir string) *codextest.Server {
	calls := attacks(t, dir)
	patch := func(file string) codextest.Response {
		return codextest.Custom("apply_patch", "*** Begin Patch\n*** Add File: "+file+"\n+x\n*** End Patch\n")
	}
	calls = append(calls, patch("here"), patch(filepath.Join(dir, "there")), patch("../up"))
	return codextest.New(t, func(r codextest.Request) codextest.Response {
		if !strings.Contains(r.Tools, `"apply_patch"`) {
			t.Error("apply_patch is not offered: the test proves nothing")
		}
		for _, out := range r.Outputs {
			if strings.Contains(out, "Success") {
				t.Errorf("a patch was applied: %s", out)
			}
		}
		return codextest.Explore(approved, calls...)(r)
	})
}

// While a review runs, neither the environment nor the command line of any
// process that belongs to it, nor any of its files, holds the key.
func TestKeyStaysInside(t *testing.T) {
	for _, model := range []string{"gpt-5.5", "gpt-5.6-sol"} {
		t.Run(model, func(t *testing.T) {
			t.Parallel()
			asked, goOn := make(chan struct{}), make(chan struct{})
			final := approved.After(goOn)
			s := codextest.New(t, func(r codextest.Request) codextest.Response {
				if len(r.Outputs) == 0 {
					return codextest.Call("list_files", map[string]string{})
				}
				close(asked)
				return final
			})
			o := options(t, s)
			e := engine(t, o)
			done := make(chan error, 1)
			go func() {
				req := request()
				req.Model = model
				_, err := e.Review(t.Context(), req)
				done <- err
			}()
			<-asked
			look(t, o.StoreDir, o.TempDir)
			close(goOn)
			if err := <-done; err != nil {
				t.Error(err)
			}
			for _, r := range s.Requests() {
				if bytes.Contains(r.Body, []byte(canary)) {
					t.Error("the key is in a request's body")
				}
			}
		})
	}
}

// look searches the processes and files of a review for the key.
func look(t *testing.T, store, temp string) {
	t.Helper()
	var found int
	own := strconv.Itoa(os.Getpid())
	procs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range procs {
		cmdline, _ := os.ReadFile(filepath.Join(p, "cmdline")) // it may have ended
		environ, _ := os.ReadFile(filepath.Join(p, "environ"))
		if filepath.Base(p) == own || !bytes.Contains(environ, []byte(temp)) {
			continue
		}
		found++
		if bytes.Contains(cmdline, []byte(canary)) || bytes.Contains(environ, []byte(canary)) {
			t.Errorf("the key is with process %s", cmdline)
		}
		var names []string
		for v := range strings.SplitSeq(strings.Trim(string(environ), "\x00"), "\x00") {
			names = append(names, strings.SplitN(v, "=", 2)[0])
		}
		slices.Sort(names)
		if bytes.Contains(cmdline, []byte("\x00exec\x00")) {
			if d := cmp.Diff([]string{"CODEX_HOME", "HOME", "PATH"}, names); d != "" {
				t.Errorf("codex's environment (-want +got):\n%s", d)
			}
		}
	}
	if found < 2 {
		t.Errorf("%d processes were found, want codex and the tools' server", found)
	}
	for _, dir := range []string{store, temp} {
		noKeyIn(t, dir)
	}
}

func noKeyIn(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() { // codex links to its program, which is large
			return err
		}
		b, err := os.ReadFile(p)
		if bytes.Contains(b, []byte(canary)) {
			t.Errorf("the key is in the file %s", p)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
