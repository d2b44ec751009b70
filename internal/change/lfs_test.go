package change_test

import (
	"errors"
	"strings"
	"testing"

	"workflow-reviewer/internal/change"
)

func TestIsLFSPointer(t *testing.T) {
	oid := "oid sha256:" + strings.Repeat("4d7a", 16) + "\n"
	const version, size = "version https://git-lfs.github.com/spec/v1\n", "size 12345\n"
	for name, tc := range map[string]struct {
		text string
		want bool
	}{
		"as the specification shows it": {version + oid + size, true},
		"an extension":                  {version + "ext-0-foo sha256:" + strings.Repeat("ab", 32) + "\n" + oid + size, true},
		"a key of a later version":      {version + oid + size + "x-kind text\n", true},
		"before it had its name":        {"version https://hawser.github.com/spec/v1\n" + oid + size, true},
		"carriage returns":              {strings.ReplaceAll(version+oid+size, "\n", "\r\n"), true},
		"no newline at the end":         {strings.TrimSpace(version + oid + size), true},
		"nothing":                       {"", false},
		"no size":                       {version + oid, false},
		"no oid":                        {version + size, false},
		"keys out of order":             {version + size + oid, false},
		"another hash":                  {version + "oid md5:" + strings.Repeat("4d7a", 16) + "\n" + size, false},
		"a short hash":                  {version + "oid sha256:4d7a\n" + size, false},
		"a document that shows one":     {"# Large files\n\n" + version + oid + size, false},
		"one with a sentence below":     {version + oid + size + "\nThis is what a pointer looks like.\n", false},
		"version in the middle":         {oid + size + version, false},
		"1024 bytes":                    {version + oid + size + "x-kind " + strings.Repeat("y", 1024) + "\n", false},
		"a version of something else":   {"version 1.2.3\n" + oid + size, false},
	} {
		if got := change.IsLFSPointer([]byte(tc.text)); got != tc.want {
			t.Errorf("%s: %t, want %t", name, got, tc.want)
		}
	}
	if !errors.Is(change.ErrLFSPointer, change.ErrNotRegular) || errors.Is(change.ErrNotRegular, change.ErrLFSPointer) {
		t.Error("a pointer is no regular file, and only a pointer is one")
	}
}
