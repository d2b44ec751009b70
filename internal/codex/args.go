package codex

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"workflow-reviewer/internal/review"
)

// disabled lists the features of codex that a review has no use for: ways to act on the machine, to
// reach other services, and to read instructions that nobody gave. unbounded_connection_retries
// would make it wait for ever.
var disabled = []string{
	"shell_tool", "view_image", "unbounded_connection_retries", "plugins", "apps", "shell_snapshot",
	"multi_agent", "goals", "hooks", "skill_search", "tool_suggest", "image_generation",
	"browser_use", "computer_use", "in_app_browser", "remote_plugin", "workspace_dependencies", "sleep_tool",
	"system_proxy_fallback", "api_key_model_discovery",
}

// settings are the fixed settings of every review, as codex's -c takes them.
var settings = []string{
	`web_search="disabled"`, `project_doc_max_bytes=0`, `history.persistence="none"`,
	`analytics.enabled=false`, `feedback.enabled=false`, `check_for_update_on_startup=false`,
	`approval_policy="never"`, `skills.bundled.enabled=false`,
	`skills.include_instructions=false`, `include_apps_instructions=false`,
	`include_environment_context=false`,
	`include_permissions_instructions=false`, `allow_login_shell=false`, `model_provider="gate"`,
	`tools.experimental_request_user_input={enabled=false}`, `tools.update_plan={enabled=false}`,
}

// folder is what one review's process has of files.
type folder string

func (d folder) cwd() string          { return filepath.Join(string(d), "cwd") }
func (d folder) schema() string       { return filepath.Join(string(d), "schema.json") }
func (d folder) instructions() string { return filepath.Join(string(d), "instructions.md") }
func (d folder) answer() string       { return filepath.Join(string(d), "answer") }

// args is codex's command line for one review. It holds no secret but the
// gate's URL, which is worth nothing once the review has ended.
func (e *Engine) args(req review.Request, d folder, gateURL string) []string {
	a := []string{
		"exec", "--json", "--color=never", "--ephemeral", "--ignore-user-config", "--ignore-rules",
		"--skip-git-repo-check", "--strict-config", "--sandbox=read-only",
		"--cd=" + d.cwd(), "--output-schema=" + d.schema(), "--output-last-message=" + d.answer(),
	}
	if req.Model != "" {
		a = append(a, "--model="+req.Model)
	}
	for _, feature := range disabled {
		a = append(a, "--disable="+feature)
	}
	for _, s := range slices.Concat(settings, e.settings(req, d, gateURL)) {
		a = append(a, "-c", s)
	}
	return append(a, "-")
}

// settings are the settings that differ between reviews. Retrying is the
// caller's business, so that codex itself never retries.
func (e *Engine) settings(req review.Request, d folder, gateURL string) []string {
	s := []string{
		"model_instructions_file=" + quote(d.instructions()),
		fmt.Sprintf(
			`model_providers.gate={name="gate",base_url=%s,wire_api="responses",`+
				`request_max_retries=0,stream_max_retries=0,stream_idle_timeout_ms=300000}`,
			quote(gateURL),
		),
	}
	if e.bin.catalog != "" {
		s = append(s, "model_catalog_json="+quote(e.bin.catalog))
	}
	if req.Effort != "" {
		s = append(s, "model_reasoning_effort="+quote(req.Effort))
	}
	if e.opts.Self != "" {
		s = append(s, e.toolServer(req))
	}
	return s
}

// toolServer configures our own MCP server. Codex must be told that its tools need no approval,
// else every call fails, and that a review without them is no review, else a server that cannot
// start is passed over in silence.
func (e *Engine) toolServer(req review.Request) string {
	args := []string{
		"mcp", "--store", e.opts.StoreDir, "--merge-base", req.MergeBase, "--head", req.Head,
	}
	only := ""
	if len(e.opts.Tools) > 0 {
		only = ",enabled_tools=" + quote(e.opts.Tools)
	}
	return fmt.Sprintf(
		`mcp_servers.repo={command=%s,args=%s,required=true,`+
			`default_tools_approval_mode="approve",startup_timeout_sec=20,tool_timeout_sec=60%s}`,
		quote(e.opts.Self),
		quote(args),
		only,
	)
}

// quote writes a text or a list of texts as TOML. JSON has the same forms, but for DEL.
func quote[T string | []string](v T) string {
	b, err := json.Marshal(v)
	if err != nil { // cannot happen: every text has a JSON form
		return `""`
	}
	return strings.ReplaceAll(string(b), "\x7f", `\u007f`)
}
