//go:build e2e

package e2e

import (
	"strings"

	"workflow-reviewer/internal/codex/codextest"
)

// treasure is what lies outside of the tree, and may show up nowhere.
const treasure = "gold-doubloon"

// reads are calls of our own tools that try to leave the two trees.
func (b bait) reads() []attempt {
	var out []attempt
	call := func(what, tool string, args map[string]any) {
		out = append(out, attempt{groupReads, what, codextest.Call(tool, args)})
	}
	path := func(p string) { call("`read_file "+p+"`", "read_file", map[string]any{"path": p}) }
	path("../../home/treasure")
	path("specs/../../../home/treasure")
	path("%2e%2e/%2e%2e/home/treasure")
	path(b.file)
	path("//proc/self/environ")
	path("file:///proc/self/environ")
	path("~/treasure")
	path("link") // a symbolic link to the bait
	path("folder/treasure")
	path("vendored") // a submodule
	path("vendored/README.md")
	path(".git/config")
	path("specs/.GIT/config")
	call("`read_file`, a path with a NUL byte", "read_file", map[string]any{"path": "src/app.py\x00.md"})
	call("`read_file`, a path of 6,000 bytes", "read_file", map[string]any{"path": strings.Repeat("a/", 3000)})
	call("`read_file`, side `../..`", "read_file", map[string]any{"path": "home/treasure", "side": "../.."})
	call("`read_file`, lines from 2⁶⁰ on, 2⁶⁰ of them", "read_file",
		map[string]any{"path": "src/app.py", "offset": 1 << 60, "limit": 1 << 60})
	call("`read_file`, lines from -9 on", "read_file", map[string]any{"path": "src/app.py", "offset": -9, "limit": -9})
	call("`list_files ..`", "list_files", map[string]any{"folder": ".."})
	call("`list_files /proc/self`", "list_files", map[string]any{"folder": "/proc/self"})
	call("`list_files`, pattern `../**`", "list_files", map[string]any{"pattern": "../**"})
	call("`search` in `/github/home`", "search", map[string]any{"query": "gold", "folder": "/github/home"})
	call("`search` for what is outside", "search", map[string]any{"query": treasure[:4]})
	call("`search` by `(((x{1,99}){1,99}){1,99})`", "search", map[string]any{"query": "(((x{1,99}){1,99}){1,99})", "regex": true})
	call("`search` for 6,000 bytes", "search", map[string]any{"query": strings.Repeat("x", 6000)})
	call("`diff ../../home/treasure`", "diff", map[string]any{"path": "../../home/treasure"})
	return out
}

// scripts are what JavaScript may try where a model calls tools from code.
func (b bait) scripts() []attempt {
	var out []attempt
	try := func(script string) {
		out = append(out, attempt{groupCode, "`" + script + "`", codextest.Custom("exec", script)})
	}
	for _, name := range []string{
		"exec_command", "shell", "apply_patch", "write_stdin", "web_search", "view_image", "spawn_agent",
		"update_plan", "mcp__github__create_issue",
	} {
		try("await tools." + name + "({})")
	}
	try(`text(Object.keys(tools))`)
	try(`await tools.read_mcp_resource({server: "repo", uri: "file://` + b.file + `"})`)
	try(`await import("node:fs")`)
	try(`await import("` + b.url + `")`)
	for _, name := range []string{
		"require", "process", "fetch", "WebSocket", "XMLHttpRequest", "Worker", "WebAssembly",
		"Deno", "Bun", "std", "os",
	} {
		try(name + `("` + b.url + `")`)
	}
	try(`Function("return process")()`)
	try(`globalThis.constructor.constructor("return require")()`)
	try(`image("` + b.file + `")`)
	try(`image("` + b.url + `")`)
	return append(out,
		attempt{groupCode, "`while (true) {}`", codextest.Custom("exec", "// @exec: {\"yield_time_ms\": 200}\nwhile (true) {}")},
		attempt{groupCode, "`wait` for another's script", codextest.Function("", "wait", `{"cell_id":"1"}`)})
}
