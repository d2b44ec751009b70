//go:build e2e

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// fileCommands reads a file of name=value and name<<delimiter entries as the
// runner does, which fails the step over a malformed one.
func fileCommands(t testing.TB, path string) map[string]string {
	t.Helper()
	out, err := parseFileCommands(read(t, path))
	if err != nil {
		t.Errorf("the runner refuses %s: %v", path, err)
	}
	return out
}

// parseFileCommands follows actions/runner's FileCommandManager: whichever of =
// and << comes first decides, and a heredoc ends with its delimiter on a line of
// its own.
func parseFileCommands(text string) (map[string]string, error) {
	out := map[string]string{}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if line == "" {
			continue
		}
		equals, heredoc := strings.Index(line, "="), strings.Index(line, "<<")
		if equals >= 0 && (heredoc < 0 || equals < heredoc) {
			if equals == 0 {
				return out, fmt.Errorf("no name in %q", line)
			}
			out[line[:equals]] = line[equals+1:]
			continue
		}
		name, delimiter, found := strings.Cut(line, "<<")
		if !found || name == "" || delimiter == "" {
			return out, fmt.Errorf("malformed line %q", line)
		}
		length := slices.Index(lines[i+1:], delimiter)
		if length < 0 {
			return out, fmt.Errorf("the delimiter of %q does not come", name)
		}
		out[name] = strings.Join(lines[i+1:i+1+length], "\n")
		i += length + 1
	}
	return out, nil
}

func TestParseFileCommands(t *testing.T) {
	got, err := parseFileCommands("a=1\nb<<X\none\n\nc=2\nX\n\nd==<<e\n")
	if err != nil || len(got) != 3 || got["a"] != "1" || got["b"] != "one\n\nc=2" || got["d"] != "=<<e" {
		t.Errorf("%q, %v", got, err)
	}
	for _, bad := range []string{"a<<X\n1\n", "plain\n", "<<X\n1\nX\n", "=1\n", "a<<\n\n"} {
		if _, err := parseFileCommands(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}
