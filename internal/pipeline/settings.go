package pipeline

import (
	"maps"
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/inspect"
	"workflow-reviewer/internal/integrity/trick"
	"workflow-reviewer/internal/review/prompt"
	"workflow-reviewer/internal/workflow"
)

// ignoredSettings tells of what the project wrote down for its reviews and that none of them uses.
func ignoredSettings(req Request, set change.Set) ([]workflow.Finding, error) {
	named := entries(req.Config)
	excused, _ := inspect.Allowances(set.BaseTree) // an error ends the integrity check
	for _, a := range excused {
		named = append(named, detect.Entry{Key: trick.AllowPath + ", " + a.Rule, Names: a.Path})
	}
	unmatched, err := detect.Unmatched(set, req.DetectOptions(), req.Config.ConfigPath, named)
	if err != nil || req.Config.Engine == config.Rules {
		return unmatched, err
	}
	unused, err := prompt.UnusedPrompts(set.BaseTree, prompts(req.Config.Prompts))
	return append(unmatched, unused...), err
}

// entries are what a config names files by, with the key that a warning repeats. The usual context
// files are not among them, as a project need not have them.
func entries(c config.Config) []detect.Entry {
	var out []detect.Entry
	add := func(key string, ofBase bool, names ...string) {
		for _, n := range names {
			if n != "" {
				out = append(out, detect.Entry{Key: key, Names: n, OfBase: ofBase})
			}
		}
	}
	for _, t := range workflow.Types() {
		add("paths."+string(t), false, c.Globs[t]...)
		p := c.Prompts[t]
		add("prompts."+string(t), true, string(p.Role), string(p.Schema), string(p.Template))
	}
	for _, feature := range slices.Sorted(maps.Keys(c.Features)) {
		add("features."+feature, false, c.Features[feature]...)
	}
	add("ignore", false, c.Ignore...)
	if !slices.Equal(c.Context, config.UsualContext()) {
		add("context", true, c.Context...)
	}
	add("integrity.protect", false, c.Integrity.Protect...)
	return out
}
