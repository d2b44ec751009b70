package cliketest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"workflow-reviewer/internal/integrity/testdiff"
)

// Pairs runs the cases of an archive from the source to what is found. A case
// is a folder with the test file as it was approved (before), as it is (after),
// and the findings' kind, line and side (want); what is honest wants nothing.
// The test file's name stands in the archive's comment.
func Pairs(t *testing.T, path string, update bool) {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	name, files := strings.TrimSpace(string(archive.Comment)), map[string][]byte{}
	for _, f := range archive.Files {
		files[f.Name] = f.Data
	}
	for i := range archive.Files {
		want := &archive.Files[i]
		id, ok := strings.CutSuffix(want.Name, "/want")
		if !ok {
			continue
		}
		t.Run(id, func(t *testing.T) {
			got := found(t, name, files[id+"/before"], files[id+"/after"])
			if honest := strings.HasPrefix(id, "honest"); honest != (got == "") {
				t.Errorf("%s: found %q", id, got)
			}
			if update {
				want.Data = []byte(got)
			}
			if diff := cmp.Diff(string(want.Data), got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", id, diff)
			}
		})
	}
	if update {
		if err := os.WriteFile(path, txtar.Format(archive), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// found are the findings in one changed test file, one a line.
func found(t *testing.T, name string, before, after []byte) string {
	t.Helper()
	r, err := testdiff.Compare(t.Context(), testdiff.Input{
		Changed:   []testdiff.Pair{{Path: name, Role: "test", Before: before, After: after}},
		Collected: func(string) bool { return true },
	})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, v := range r.Violations {
		fmt.Fprintf(&b, "%s %d %s: %s\n", v.Kind, v.Line, v.Side, v.Description)
	}
	for _, n := range r.NotAnalysed {
		fmt.Fprintf(&b, "not analysed: %s\n", n)
	}
	return b.String()
}
