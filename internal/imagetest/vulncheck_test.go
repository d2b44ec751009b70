package imagetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestVulncheck: only a database that cannot be reached is let pass, and not on
// GitHub.
func TestVulncheck(t *testing.T) {
	const unreachable = `govulncheck: fetching vulnerabilities: Get "https://vuln.go.dev/index/modules.json.gz": ` +
		`dial tcp: lookup vuln.go.dev: no such host`
	for name, c := range map[string]struct {
		says   string
		status string
		github string
		passes bool
		words  string
	}{
		"nothing found":              {"No vulnerabilities found.", "0", "true", true, "No vulnerabilities found."},
		"a vulnerability":            {"Vulnerability #1: GO-2026-0001", "3", "", false, "GO-2026-0001"},
		"a vulnerability, on GitHub": {"Vulnerability #1: GO-2026-0001", "3", "true", false, "GO-2026-0001"},
		"unreachable":                {unreachable, "1", "", true, "NOTHING WAS CHECKED"},
		"unreachable, on GitHub":     {unreachable, "1", "true", false, "dial tcp"},
		"the program cannot be built": {
			"govulncheck: loading packages: exit status 1", "1", "", false, "loading packages",
		},
		"a vulnerability named like it": {"Vulnerability #1: fetching vulnerabilities: dial tcp", "3", "", false, "#1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("GITHUB_ACTIONS", c.github)
			t.Setenv("SAYS", c.says)
			tool := filepath.Join(t.TempDir(), "govulncheck")
			if err := os.WriteFile(tool, []byte("#!/bin/sh\necho \"$SAYS\" >&2\nexit "+c.status+"\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			out, errs, err := run(t, root, "scripts/vulncheck.sh", tool)
			if (err == nil) != c.passes || !strings.Contains(out+errs, c.words) {
				t.Errorf("%v\n%s%s", err, out, errs)
			}
		})
	}
}
