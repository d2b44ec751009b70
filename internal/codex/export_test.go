package codex

import "workflow-reviewer/internal/workflow"

// Version is the version of the codex binary, "unknown" if it does not say.
func (e *Engine) Version() string { return e.bin.version }

// DefaultModel is the model of a request that names none, "" if unknown.
func (e *Engine) DefaultModel() string { return e.bin.defaultModel }

// Usage is the sum of the tokens of all reviews so far.
func (e *Engine) Usage() workflow.Tokens { return e.gate.usage() }

func (g *gate) usage() workflow.Tokens { return g.count(workflow.Tokens{}) }

// UseCatalog has codex take another file for the confined catalog of models.
func (e *Engine) UseCatalog(file string) { e.bin.catalog = file }
