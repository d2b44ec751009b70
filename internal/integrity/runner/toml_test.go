package runner_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"workflow-reviewer/internal/integrity/runner"
)

// TestTextsOfTOML: whatever a text holds, the setting beside it is what is told.
func TestTextsOfTOML(t *testing.T) {
	for name, text := range map[string]string{
		"begins with a tab":     "'''\n\tslow: takes long\n\tnet: asks others\n'''",
		"control characters":    `"\u0000\u0007\u0085\u2028\u007f"`,
		"special numbers":       "[inf, -inf, nan, 1_000, 0x10, 1e3]",
		"dates and times":       "[1979-05-27, 07:32:00, 1979-05-27T07:32:00, 1979-05-27T07:32:00Z]",
		"looks like an alias":   `"*a"`,
		"nests lists in lists":  "[[1, [2]], [], {}]",
		"has values in one key": "{'<<' = {a = 1}, '~' = 2, '' = 3}",
	} {
		file := func(least int) []byte {
			const form = "[tool.pytest.ini_options]\nmarkers = %s\naddopts = '--cov-fail-under=%d'\n"
			return fmt.Appendf(nil, form, text, least)
		}
		r := runner.Compare("pyproject.toml", file(90), file(10), runner.Surroundings{})
		if len(r.Violations) != 1 || !strings.Contains(r.Violations[0].Text, "addopts changed") {
			t.Errorf("%s: %+v", name, r.Violations)
		}
	}
}

// TestManyValuesOfTOML: where values stand is found in time that grows with the file.
func TestManyValuesOfTOML(t *testing.T) {
	values := strings.Repeat(`"`+strings.Repeat("a", 60)+`\u0042", `, 9_900)
	before, after := []byte("a = ["+values+"]\n"), []byte("a = [1, "+values+"]\n")
	start := time.Now()
	runner.Compare("pyproject.toml", before, after, runner.Surroundings{})
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("it takes %v", took)
	}
}
