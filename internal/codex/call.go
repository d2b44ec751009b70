package codex

import (
	"sync"

	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/workflow"
)

// call is what the gate knows of one review. It is safe for concurrent use.
type call struct {
	path string

	mu    sync.Mutex
	state seen
}

// seen is what the gate saw of a call.
type seen struct {
	requests int
	failure  *review.EngineError // of the last request that failed
	tokens   workflow.Tokens
	model    string // that answered last
	refusal  string // of the model, in its words
}

// update changes what is known, and returns it.
func (c *call) update(change func(*seen)) seen {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.state)
	return c.state
}

// seen is what the gate saw of the call until now.
func (c *call) seen() seen { return c.update(func(*seen) {}) }

// fail keeps why the call cannot succeed.
func (c *call) fail(e *review.EngineError) { c.update(func(s *seen) { s.failure = e }) }
