package rules_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/workflow"
)

// TestBundleAmongTests: a bundle below test/ is one expression of many thousand nodes,
// each within the others, and is read in no more than a moment (it took five minutes).
func TestBundleAmongTests(t *testing.T) {
	const deep = 150
	bundle := strings.Repeat("(function(a){a(", deep) + strings.Repeat("b.c(1).d(2),", 3000) + "0" + strings.Repeat(")})(e)", deep) + "\n"
	if got := found(t, input(workflow.Tests, nil, one("test/dist/index.js", bundle), "test/dist/index.js"), "tests/empty"); len(got) != 0 {
		t.Errorf("%v", got)
	}
}
