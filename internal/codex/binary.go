package codex

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/review"
)

// binary is what is known of the codex that was found.
type binary struct {
	path         string
	version      string
	catalog      string          // file of the confined model catalog, "" if codex has none
	models       map[string]bool // known to codex
	hosted       map[string]bool // models whose tools run in codex-code-mode-host
	defaultModel string
	hasHost      bool
}

// inspect finds codex, its version and its models. The warnings are lines for the user; what makes
// any review impossible is an error.
func inspect(
	ctx context.Context,
	opts Options,
	root string,
) (b binary, warnings []string, err error) {
	if b.path, err = Find(ctx, opts); err != nil {
		return b, nil, setup(Install, err)
	}
	_, err = os.Stat(filepath.Join(filepath.Dir(b.path), "codex-code-mode-host"))
	b.hasHost = err == nil || strings.HasSuffix(b.path, ".js")
	said := output(ctx, b.path, opts, root, "--version")
	models := output(ctx, b.path, opts, root, "debug", "models", "--bundled")
	switch b.version = cmp.Or(versionText.FindString(said), "unknown"); {
	case ctx.Err() != nil:
		const why = "cancelled while codex was checked"
		cancelled := failed(review.Cancelled, why, "run the job again")
		cancelled.Err = ctx.Err()
		return b, nil, cancelled
	case said == "":
		const do = "check that the input codex-path names codex " + Pinned + " for this platform"
		return b, nil, setup(do, fmt.Errorf("%q does not run", b.path))
	case b.version != Pinned:
		warnings = append(warnings, fmt.Sprintf(
			"codex %s was found; this program was built to drive codex %s", b.version, Pinned))
	}
	if err := b.confine([]byte(models), filepath.Join(root, "models.json")); err != nil {
		warnings = append(warnings, fmt.Sprintf("codex %s does not tell its models (%v): tools "+
			"that a review needs not cannot be taken away, only its read-only sandbox keeps them from "+
			"writing", b.version, err))
	}
	return b, warnings, nil
}

// Name is the engine with the version of the codex that the options mean, as an Engine has it: the
// pinned one's where none is found or it does not say.
func Name(ctx context.Context, opts Options) string {
	version := ""
	if bin, err := Find(ctx, opts); err == nil {
		version = versionText.FindString(output(ctx, bin, opts, opts.TempDir, "--version"))
	}
	return "codex " + cmp.Or(version, Pinned)
}

var versionText = lazyregexp.New(`\d+\.\d+\.\d+\S*`)

// confine writes a model catalog of its own for codex: the bundled one with every model confined.
func (b *binary) confine(bundled []byte, file string) error {
	var c struct {
		Models []map[string]any `json:"models"`
	}
	d := json.NewDecoder(bytes.NewReader(bundled))
	d.UseNumber()
	if err := d.Decode(&c); err != nil || len(c.Models) == 0 {
		return errors.New("its catalog cannot be read")
	}
	b.models, b.hosted = map[string]bool{}, map[string]bool{}
	best := 1 << 30
	for _, m := range c.Models {
		slug, _ := m["slug"].(string)
		b.models[slug] = true
		b.hosted[slug] = m["tool_mode"] == "code_mode_only"
		if p, ok := priority(m); ok && p < best {
			best, b.defaultModel = p, slug
		}
		confineModel(m)
	}
	out, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("its catalog cannot be written: %w", err)
	}
	if err := os.WriteFile(file, out, 0o600); err != nil {
		return fmt.Errorf("write the catalog: %w", err)
	}
	b.catalog = file
	return nil
}

// confineModel takes from a catalog entry the tools that a review must not have: models bring them
// along (apply_patch, sub-agents, a shell), whatever features are disabled. Our own tools are
// declared instead of left to a search, and codex's views of MCP resources, which cannot be taken
// away, are declared in few words. The instructions go too, because every review brings its own.
func confineModel(m map[string]any) {
	m["apply_patch_tool_type"], m["multi_agent_version"] = nil, nil
	m["shell_type"] = "disabled"
	m["experimental_supported_tools"] = []string{}
	m["supports_search_tool"] = false
	m["base_instructions"] = "Review what you are shown."
	unused := map[string]string{
		"description": "There are none here.",
		"parameters":  `{"type":"object","properties":{},"additionalProperties":false}`,
	}
	m["model_messages"] = map[string]any{"tools": map[string]any{
		"code_mode": map[string]string{
			"deferred_nested_tools_guidance": "",
			"mcp_typescript_preamble": `type CallToolResult = { isError?: boolean; ` +
				`content: { type: "text"; text: string }[] };`,
		},
		"mcp_resources": map[string]any{
			"list_mcp_resources": unused, "list_mcp_resource_templates": unused,
			"read_mcp_resource": unused,
		},
	}}
}

// priority is a model's rank among those that codex offers; 1 is its default.
func priority(m map[string]any) (int, bool) {
	n, _ := m["priority"].(json.Number)
	p, err := n.Int64()
	return int(p), err == nil && m["visibility"] == "list"
}
