package trick

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// NotRead is the kind of question about a changed file that could not be read.
const NotRead = "unread"

// Of makes a question of a violation that does not decide. Its id stays the same while kind, file
// and the code do.
func Of(v workflow.Finding, ask string) workflow.Finding {
	text := strings.TrimSuffix(v.Text, ".") + ". " + ask
	if v.Side == violation.Before {
		text += " (The line counts in the file before the change.)"
	}
	id := identity(v.Kind, v.File, v.Side, v.Evidence)
	return workflow.Finding{
		Key: id, Level: workflow.Ask, Kind: v.Kind, File: v.File, Line: v.Line, Text: text,
		Evidence: v.Evidence,
	}
}

// identity is the id of a question: eight hexadecimal digits that stay while all its parts do.
func identity(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:4])
}

// Unreadable asks about files that could not be read as code. Those of one folder and reason are
// one question: a vendored library is one decision, until one of its files is another.
func Unreadable(files []Unread) (out []workflow.Finding) {
	type group struct{ folder, why string }
	members := map[group][]string{} // paths, each with what it holds
	for _, f := range files {
		parts := strings.Split(path.Dir(f.Path), "/")
		g := group{strings.Join(parts[:min(2, len(parts))], "/"), f.Why}
		members[g] = append(members[g], f.Path+"\x00"+f.Blob)
	}
	byName := func(x, y group) int {
		return cmp.Or(strings.Compare(x.folder, y.folder), strings.Compare(x.why, y.why))
	}
	for _, g := range slices.SortedFunc(maps.Keys(members), byName) {
		paths := slices.Sorted(slices.Values(members[g]))
		key := identity(append(paths, NotRead, g.why)...)
		for i := range paths {
			paths[i], _, _ = strings.Cut(paths[i], "\x00")
		}
		what := paths[0] + " was"
		if len(paths) > 1 {
			what = fmt.Sprintf("%d files under %s were", len(paths), g.folder)
		}
		out = append(out, workflow.Finding{
			Key: key, Level: workflow.Ask, Kind: NotRead, File: paths[0], Line: 1,
			Text: fmt.Sprintf(
				"%s not read by the check (%s). Is it what it claims to be, and nothing that answers the tests instead "+
					"of the code?",
				what,
				g.why,
			),
			Evidence: strings.Join(paths[:min(5, len(paths))], "\n"),
		})
	}
	return out
}

// IsData reports whether a file may hold values that a program reads while it
// runs: no documents, no manifests of packages.
func IsData(file string) bool { return dataName.MatchString(file) && !manifest.MatchString(file) }

var (
	dataName = lazyregexp.New(
		`(?i)\.(?:json|jsonl|ya?ml|toml|csv|tsv|txt|dat|xml|properties|ini|sql|env|db|inc|tmpl|resx|plist|ron|` +
			`edn)$`,
	)
	manifest = lazyregexp.New(
		`(?i)(?:^|/)(?:\.[^/]*/.*|\.[^/]*|package(?:-lock)?\.json|tsconfig[^/]*\.json|composer\.json|` +
			`pyproject\.toml|Cargo\.toml|Pipfile|pom\.xml|` +
			`[^/]*requirements[^/]*\.txt|CMakeLists\.txt|CHANGE[^/]*|LICENSE[^/]*|README[^/]*|docs?/.*)$`,
	)
)
