//go:build e2e

package e2e

import (
	"archive/tar"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// imageOutcomes looks at the image and at a container under way.
func imageOutcomes(t *testing.T) outcomes {
	t.Helper()
	var out outcomes
	out.add(groupImage, "programs in the image", strings.Join(quoted(programs(t)), ", ")+"; no shell, no interpreter, no git")
	h := holdReview(t)
	var running []string
	for line := range strings.Lines(docker(t, "top", h.step.name, "-eo", "pid,args")) {
		f := strings.Fields(line)
		if len(f) < 2 || f[0] == "PID" {
			continue
		}
		name := path.Base(f[1])
		if len(f) > 2 && f[2] == "mcp" {
			name += " mcp"
		}
		if strings.Contains(line, canaryKey) || strings.Contains(line, canaryToken) {
			t.Errorf("a secret is on the command line of %s", name)
		}
		running = append(running, name)
		if strings.HasPrefix(name, "codex") {
			out.add(groupImage, "environment of codex and its helpers", strings.Join(quoted(environment(t, f[0])), ", "))
		}
	}
	slices.Sort(running)
	out.add(groupImage, "processes during a review", strings.Join(quoted(slices.Compact(running)), ", "))
	h.end(t)
	out.add(groupImage, "connections to the docker socket that the runner mounts", "none")
	out.add(groupImage, "files changed in workspace and HOME; written elsewhere than in `/tmp` and the runner's own files", "none; none")
	return out
}

// environment names the variables of a process, and fails the test over a secret.
func environment(t *testing.T, pid string) []string {
	t.Helper()
	args := []string{"cat", "/proc/" + pid + "/environ"}
	if !isRoot() {
		args = append([]string{"sudo"}, args...)
	}
	raw, err := exec.Command(args[0], args[1:]...).Output()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(raw), canaryKey) || strings.Contains(string(raw), canaryToken) {
		t.Error("codex's environment holds a secret")
	}
	var names []string
	for v := range strings.SplitSeq(strings.Trim(string(raw), "\x00"), "\x00") {
		name, _, _ := strings.Cut(v, "=")
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// programs are the executable files of the image.
func programs(t *testing.T) []string {
	t.Helper()
	id := docker(t, "create", "--label", setup.label, setup.image)
	defer docker(t, "rm", id)
	cmd := exec.Command("docker", "export", id)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var names []string
	files := tar.NewReader(out)
	for {
		h, err := files.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg && h.Mode&0o111 != 0 && h.Size > 0 {
			names = append(names, path.Base(h.Name))
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return names
}

func quoted(names []string) []string {
	var out []string
	for _, n := range names {
		out = append(out, "`"+n+"`")
	}
	return out
}
