//go:build e2e

package e2e

import (
	"bytes"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"workflow-reviewer/internal/github/githubtest"
)

// machine is a runner: its folders on the host, and how it starts the container
// of an action (actions/runner, ContainerActionHandler and DockerCommandManager).
type machine struct {
	t         testing.TB
	work      string // holds _temp and the workspace
	temp      string
	workspace string
	vars      map[string]string // environment beside that of the event
	options   []string          // of docker run, beside the runner's own
	network   string
	knocks    *atomic.Int32 // connections to the docker socket
	socket    string
}

// The account of GitHub's own runners, runner:docker.
const owner = "1001:127"

// newMachine has an empty workspace.
func newMachine(t testing.TB) *machine {
	t.Helper()
	work := t.TempDir()
	m := &machine{
		t: t, work: work, temp: filepath.Join(work, "_temp"), workspace: filepath.Join(work, "hello", "hello"),
		vars: map[string]string{}, network: "host", knocks: &atomic.Int32{},
	}
	for _, dir := range []string{"_github_home", "_github_workflow", "_runner_file_commands"} {
		mkdir(t, filepath.Join(m.temp, dir))
	}
	mkdir(t, m.workspace)
	m.socket = m.dockerSocket()
	t.Cleanup(func() { privileged(t, "chown", "-R", strconv.Itoa(os.Geteuid()), work) })
	return m
}

// dockerSocket stands in for the daemon's socket and counts who knocks.
func (m *machine) dockerSocket() string {
	m.t.Helper()
	dir, err := os.MkdirTemp("", "sock") // a socket's path must be short
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, "docker.sock")
	l, err := net.Listen("unix", path)
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			m.knocks.Add(1)
			_ = c.Close()
		}
	}()
	return path
}

// home is HOME, which the steps of a job share.
func (m *machine) home() string { return filepath.Join(m.temp, "_github_home") }

// commands are the files by which a step talks to the runner.
var commands = map[string]string{
	"GITHUB_OUTPUT": "output", "GITHUB_STEP_SUMMARY": "step_summary", "GITHUB_ENV": "set_env",
	"GITHUB_PATH": "add_path", "GITHUB_STATE": "save_state",
}

func (m *machine) command(variable string) string {
	return filepath.Join(m.temp, "_runner_file_commands", commands[variable]+"_1")
}

// environment is that of the container for an event, with the container's paths.
func (m *machine) environment(w *world, ev githubtest.Event) map[string]string {
	env := w.gh.Env(ev)
	write(m.t, filepath.Join(m.temp, "_github_workflow", "event.json"), read(m.t, env["GITHUB_EVENT_PATH"]))
	maps.Copy(env, map[string]string{
		"HOME": "/github/home", "GITHUB_WORKSPACE": "/github/workspace", "GITHUB_EVENT_PATH": "/github/workflow/event.json",
		"GITHUB_ACTION": "review", "RUNNER_OS": "Linux", "RUNNER_ARCH": "X64", "RUNNER_NAME": "GitHub Actions 2",
		"RUNNER_TEMP": m.temp, "RUNNER_WORKSPACE": filepath.Join(m.work, "hello"), "RUNNER_TOOL_CACHE": "/opt/hostedtoolcache",
	})
	for variable := range commands {
		write(m.t, m.command(variable), "")
		env[variable] = "/github/file_commands/" + filepath.Base(m.command(variable))
	}
	for name, value := range w.inputs {
		env["INPUT_"+strings.ToUpper(name)] = value
	}
	maps.Copy(env, m.vars)
	return env
}

// step is a container under way.
type step struct {
	m    *machine
	name string
	cmd  *exec.Cmd // the docker client, which the runner signals
	log  *bytes.Buffer
	done chan error
}

var steps atomic.Int32

// start starts the action's container. The runner's files belong to its account.
func (m *machine) start(w *world, ev githubtest.Event) *step {
	m.t.Helper()
	name := fmt.Sprintf("wr-e2e-%d-%d", os.Getpid(), steps.Add(1))
	s := &step{m: m, name: name, cmd: m.client(w, ev, "--name", name), log: &bytes.Buffer{}, done: make(chan error, 1)}
	s.cmd.Stdout, s.cmd.Stderr = s.log, s.log
	if err := s.cmd.Start(); err != nil {
		m.t.Fatal(err)
	}
	go func() { s.done <- s.cmd.Wait() }()
	m.t.Cleanup(func() { _ = exec.Command("docker", "rm", "-f", "-v", s.name).Run() })
	return s
}

// client is the docker client that runs the action.
func (m *machine) client(w *world, ev githubtest.Event, options ...string) *exec.Cmd {
	m.t.Helper()
	env := m.environment(w, ev)
	privileged(m.t, "chown", "-R", owner, m.work)
	args := append([]string{"run", "--label", setup.label, "--workdir", "/github/workspace", "--network", m.network}, options...)
	for _, name := range slices.Sorted(maps.Keys(env)) {
		args = append(args, "-e", name)
	}
	for _, mount := range []string{
		m.socket + ":/var/run/docker.sock", m.home() + ":/github/home",
		filepath.Join(m.temp, "_github_workflow") + ":/github/workflow",
		filepath.Join(m.temp, "_runner_file_commands") + ":/github/file_commands", m.workspace + ":/github/workspace",
	} {
		args = append(args, "-v", mount)
	}
	cmd := exec.Command("docker", append(append(args, m.options...), setup.image)...)
	for k, v := range env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	cmd.Env = append(cmd.Env, "PATH="+os.Getenv("PATH"), "DOCKER_CONFIG="+m.t.TempDir())
	return cmd
}
