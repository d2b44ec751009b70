//go:build e2e

package e2e

import (
	"regexp"
	"strings"
)

// signs tell by an answer what became of an attempt. The first that fits counts.
var signs = []struct{ answer, outcome string }{
	{"unsupported call: ", "codex has no such tool"},
	{"unsupported custom tool call: ", "codex has no such tool"},
	{"unknown MCP server", "codex has no such server"},
	{"resources/read failed", "our server has no resources"},
	{`"resources":[]`, "an empty list"},
	{`"resourceTemplates":[]`, "an empty list"},
	{"is unavailable in Default mode", "refused by codex"},
	{"aborted", "refused by codex"},
	{"is not a function", "not there"},
	{"is not defined", "not there"},
	{"unsupported import", "refused: there are no imports"},
	{"remote image URLs are not supported", "refused: images by value only"},
	{"invalid image output", "refused: images by value only"},
	{codeModeTools, "our four tools, and the views of our server's resources, of which there are none"},
	{"Script running with cell ID", "left alone; it ends with the review"},
	{"exec cell 1 not found", "not there"},
	{`contains \"..\"`, "refused: the path holds `..`"},
	{`contains ".."`, "refused: the path holds `..`"},
	{"is absolute", "refused: the path is absolute"},
	{"is git's own", "refused: git's own"},
	{"contains a NUL byte", "refused: a NUL byte"},
	{"is longer than", "refused: too long"},
	{"links are not followed", "refused: neither links nor submodules are followed"},
	{"no file", "no such file in the tree"},
	{"is neither", "refused: only `head` and `base`"},
	{"too complex", "refused: too complex"},
	{"is not a regular expression", "refused: too complex"},
	{"no matches", "nothing found"},
	{"no files", "nothing found"},
	{"print('hello')", "the file's own lines"},
	{"no lines at offset", "the end of the file"},
}

// codeModeTools are all that JavaScript can call.
const codeModeTools = `["list_mcp_resource_templates","list_mcp_resources","mcp__repo__diff","mcp__repo__list_files",` +
	`"mcp__repo__read_file","mcp__repo__search","read_mcp_resource"]`

var partner = regexp.MustCompile(`(^|\n)unsupported call: ` + noSuchTool + `$`)

// judge says in a few words what an attempt came to, or false.
func judge(answer string) (string, bool) {
	if rest := partner.ReplaceAllString(answer, ""); rest != answer {
		if answer = rest; answer == "" {
			return "passed over: codex has no such tool", true
		}
	}
	for _, s := range signs {
		if strings.Contains(answer, s.answer) {
			return s.outcome, true
		}
	}
	return "", false
}
