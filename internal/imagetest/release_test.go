package imagetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	digest = "@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	image  = "ghcr.io/owner/workflow-reviewer" + digest
)

// copyOf is a folder with action.yml as given and the script.
func copyOf(t *testing.T, action string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "scripts"), 0o750); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"action.yml": action, "scripts/release-action.sh": read(t, "scripts/release-action.sh")} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestReleaseForm: the release's action.yml differs in one line.
func TestReleaseForm(t *testing.T) {
	before := read(t, "action.yml")
	dir := copyOf(t, before)
	if _, errs, err := run(t, dir, "scripts/release-action.sh", "action.yml", image); err != nil {
		t.Fatalf("%v: %s", err, errs)
	}
	got, err := os.ReadFile(filepath.Join(dir, "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(before, "\n  image: Dockerfile\n", "\n  image: docker://"+image+"\n", 1)
	if diff := cmp.Diff(want, string(got)); diff != "" || want == before {
		t.Errorf("action.yml (-want +got):\n%s", diff)
	}
	if _, errs, err := run(t, dir, "scripts/release-action.sh", "action.yml", image); err == nil || !strings.Contains(errs, "once") {
		t.Errorf("a second time: %v, %q", err, errs)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) != 2 {
		t.Errorf("left behind: %v", left)
	}
}

// TestSlimAction: it is the action but for its name and its image.
func TestSlimAction(t *testing.T) {
	want := strings.NewReplacer(
		"name: Workflow Reviewer\n", "name: Workflow Reviewer without codex\n",
		"description: Reviews the specs", "description: For the modes plan, report and gate, and the engine rules. Reviews the specs",
		"\n  image: Dockerfile\n", "\n  image: ../Dockerfile\n",
	).Replace(read(t, "action.yml"))
	if diff := cmp.Diff(want, read(t, "slim/action.yml")); diff != "" {
		t.Errorf("slim/action.yml (-want +got):\n%s", diff)
	}
	dir := copyOf(t, want)
	if _, errs, err := run(t, dir, "scripts/release-action.sh", "action.yml", image); err != nil {
		t.Fatalf("%v: %s", err, errs)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "action.yml")); err != nil || !strings.Contains(string(got), "\n  image: docker://"+image+"\n") {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestReleaseFormRefuses(t *testing.T) {
	for name, image := range map[string]string{
		"a tag":                 "ghcr.io/owner/workflow-reviewer:1.2.3",
		"a digest too short":    "ghcr.io/owner/workflow-reviewer@sha256:0123",
		"no registry":           "workflow-reviewer" + digest,
		"capitals":              strings.Replace(image, "owner", "Owner", 1),
		"more than an image":    image + "\n  pre-entrypoint: /bin/sh",
		"something before it":   "x " + image,
		"what sed would act on": strings.Replace(image, "owner", "own|e&r", 1),
		"nothing":               "",
	} {
		t.Run(name, func(t *testing.T) {
			before := read(t, "action.yml")
			dir := copyOf(t, before)
			if _, errs, err := run(t, dir, "scripts/release-action.sh", "action.yml", image); err == nil || errs == "" {
				t.Errorf("%v, %q", err, errs)
			}
			if got, err := os.ReadFile(filepath.Join(dir, "action.yml")); err != nil || string(got) != before {
				t.Errorf("action.yml was changed: %v\n%s", err, got)
			}
			if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) != 2 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}
