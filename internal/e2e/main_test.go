//go:build e2e

package e2e

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// update rewrites what the tests generate instead of comparing it.
var update = flag.Bool("update", false, "rewrite generated documentation")

// setup is what scripts/container/e2e.sh made.
var setup struct {
	image string // of the action
	label string // that every container of these tests carries
	act   string // the program
	base  string // an image with git and a shell
}

func TestMain(m *testing.M) {
	flag.Parse()
	start := readSetup
	if flag.Arg(0) == "relay" {
		start = func() error { return relay(flag.Args()[1:]) }
	}
	if err := start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func readSetup() error {
	for name, to := range map[string]*string{
		"E2E_IMAGE": &setup.image, "E2E_LABEL": &setup.label, "E2E_ACT": &setup.act, "E2E_BASE": &setup.base,
	} {
		if *to = os.Getenv(name); *to == "" {
			return fmt.Errorf("%s is not set: run make e2e", name)
		}
	}
	if out, err := exec.Command("docker", "image", "inspect", setup.image, setup.base).CombinedOutput(); err != nil {
		return fmt.Errorf("docker and the image are needed: %w\n%s", err, out)
	}
	return nil
}

// docker runs a docker command and returns what it printed.
func docker(t testing.TB, args ...string) string {
	t.Helper()
	out, err := exec.Command("docker", args...).Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			out = exit.Stderr
		}
		t.Fatalf("docker %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSuffix(string(out), "\n")
}

func isRoot() bool { return os.Geteuid() == 0 }

// privileged runs a command that takes root's rights.
func privileged(t testing.TB, args ...string) {
	t.Helper()
	if !isRoot() {
		args = append([]string{"sudo"}, args...)
	}
	if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func read(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func write(t testing.TB, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func mkdir(t testing.TB, path string) string {
	t.Helper()
	if err := os.MkdirAll(path, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}
