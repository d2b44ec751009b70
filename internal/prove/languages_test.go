//go:build !race

package prove_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"workflow-reviewer/internal/programtest"
)

// language is a project with a runner of its own: what was approved, code that is as good or broken, and changes under
// which the broken code passes the project's own run.
type language struct {
	tool, pkg string           // that must be there
	parts     map[string]files // approved, good, broken, attack/NAME
	results   string           // glob, "" where the runner writes none
	counted   int              // tests that run
	command   []string
	modules   bool // of JavaScript, in node_modules
	slow      bool // attacks are played with ATTACKS=all alone
}

// readLanguage reads a file of testdata/languages: lines that say how the project is run, and its files by parts.
func readLanguage(t *testing.T, name string) language {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	l := language{parts: map[string]files{}}
	for line := range strings.Lines(string(archive.Comment)) {
		word, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch word {
		case "needs":
			l.tool, l.pkg, _ = strings.Cut(rest, " ")
		case "results":
			l.results = rest
		case "tests":
			l.counted, err = strconv.Atoi(rest)
		case "run":
			l.command = append(l.command, rest)
		case "modules":
			l.modules = true
		case "slow":
			l.slow = true
		default:
			t.Fatalf("%s: %q", name, line)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		part, rest, _ := strings.Cut(f.Name, "/")
		if part == "attack" {
			attack, path, _ := strings.Cut(rest, "/")
			part, rest = part+"/"+attack, path
		}
		if l.parts[part] == nil {
			l.parts[part] = files{}
		}
		l.parts[part][rest] = string(f.Data)
	}
	return l
}

// TestLanguages plays real projects with the runners of their languages: good code passes, broken code does not, whatever
// the change adds to have it pass. That each attack works is seen by running the command without prove.
func TestLanguages(t *testing.T) {
	list, err := filepath.Glob("testdata/languages/*.txtar")
	if err != nil || len(list) < 10 {
		t.Fatal(err, len(list))
	}
	for _, name := range list {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			l := readLanguage(t, name)
			needs(t, l.tool, l.pkg)
			for part, change := range l.parts {
				switch part {
				case "approved":
				case "good":
					t.Run(part, func(t *testing.T) { l.proves(t, change, nil, 0) })
				case "broken":
					t.Run(part, func(t *testing.T) { l.proves(t, change, nil, 1) })
				default:
					if l.slow && everyAttack() > 1 {
						continue
					}
					t.Run(part, func(t *testing.T) { l.proves(t, l.parts["broken"], change, 1) })
				}
			}
		})
	}
}

// proves plays one change.
func (l language) proves(t *testing.T, code, attack files, want int) {
	p := newProject(t, l.parts["approved"])
	p.commit("Change", code)
	if attack != nil {
		p.commit("Attack", attack)
	}
	plain := &project{t, filepath.Join(t.TempDir(), "clone")}
	p.git("clone", "-q", ".", plain.dir)
	for _, p := range []*project{p, plain} {
		if l.modules {
			if err := os.Symlink(programtest.NodeModules(t), p.at("node_modules")); err != nil {
				t.Fatal(err)
			}
		}
	}
	if attack != nil {
		cmd := exec.Command(l.command[0], l.command[1:]...)
		cmd.Dir = plain.dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("the attack does not work: %v\n%s", err, out)
		}
	}
	args := []string{"--approved", "main"}
	if l.results != "" {
		args = append(args, "--results", l.results)
	}
	r := p.prove(append(append(args, "--"), l.command...)...)
	r.wants(t, want)
	if e := r.evidence; l.results != "" && (len(e.Results) == 0 || e.Tests.Run != l.counted && attack == nil) {
		t.Errorf("counted %+v in %v, want %d tests\n%s%s", e.Tests, e.Results, l.counted, r.out, r.err)
	}
}
