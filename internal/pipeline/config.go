package pipeline

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/review/prompt"
	"workflow-reviewer/internal/workflow"
)

// LoadConfig reads the config of the base commit and merges the inputs into
// it. All problems of inputs and config come back together.
func LoadConfig(
	in config.Inputs, inputErr error, repo *gitrepo.Repo, base string,
) (config.Config, []workflow.Finding, error) {
	file, notices, err := readConfig(in, repo, base)
	cfg, more, contradictions := config.Resolve(in, file)
	if err := errors.Join(inputErr, err, contradictions); err != nil {
		return config.Config{}, notices, err
	}
	return cfg, append(notices, more...), nil
}

// readConfig reads the config file; only the default one may be missing.
func readConfig(
	in config.Inputs, repo *gitrepo.Repo, base string,
) (config.File, []workflow.Finding, error) {
	name := in.ConfigPath
	if name == "" {
		return config.File{}, nil, nil // the input itself is wrong, and reported
	}
	tree, err := repo.Tree(base)
	if err != nil {
		return config.File{}, nil, fmt.Errorf(
			"read the base commit %s: %w", change.Short(base), err,
		)
	}
	data, err := tree.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && name == config.DefaultPath:
		return config.File{}, nil, nil
	case err != nil:
		return config.File{}, nil, &config.InputError{Input: "config", Err: fmt.Errorf(
			"read %q of the base commit %s: %w", name, change.Short(base), err,
		)}
	}
	return config.ParseFile(name, data)
}

// prompts are the config's own prompts in the words of package prompt.
func prompts(from map[workflow.Type]config.Prompt) map[workflow.Type]prompt.Files {
	out := make(map[workflow.Type]prompt.Files, len(from))
	for t, p := range from {
		out[t] = prompt.Files{
			Role: string(p.Role), Schema: string(p.Schema), Template: string(p.Template),
		}
	}
	return out
}

// missing are artifacts that were asked for by path and are not there. Their feature is the file's
// stem.
func missing(from []detect.Missing) []review.Missing {
	out := make([]review.Missing, 0, len(from))
	for _, m := range from {
		stem := strings.TrimSuffix(path.Base(m.Path), path.Ext(m.Path))
		out = append(out, review.Missing{Type: m.Type, Feature: stem, Path: m.Path})
	}
	return out
}
