package prove_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
	always    bool // is attacked in each run of the tests: TestAttacks has no attack on the runner
	repeats   bool // the command of one of TestAttacks, and is played with ATTACKS=all alone
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
		case "always":
			l.always = true
		case "repeats":
			l.repeats = true
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
		l := readLanguage(t, name)
		if l.repeats && everyAttack() > 1 {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			needs(t, l.tool, l.pkg)
			t.Run("good", func(t *testing.T) { l.proves(t, l.parts["good"], nil, 0) })
			t.Run("broken", func(t *testing.T) { l.proves(t, l.parts["broken"], nil, 1) })
			for _, attack := range l.attacks() {
				t.Run(attack, func(t *testing.T) { l.proves(t, l.parts["broken"], l.parts[attack], 1) })
			}
		})
	}
}

// attacks are the parts that are played: all with ATTACKS=all, or the first one of a runner that is not attacked elsewhere.
func (l language) attacks() (played []string) {
	for _, part := range slices.Sorted(maps.Keys(l.parts)) {
		few := everyAttack() > 1 && (!l.always || len(played) == 1)
		if strings.HasPrefix(part, "attack/") && !few {
			played = append(played, part)
		}
	}
	return played
}

// proves plays one change.
func (l language) proves(t *testing.T, code, attack files, want int) {
	p := newProject(t, l.parts["approved"])
	p.commit("Change", code)
	if attack != nil {
		p.commit("Attack", attack)
		plain := &project{t, filepath.Join(t.TempDir(), "clone")}
		p.git("clone", "-q", ".", plain.dir)
		l.install(plain)
		cmd := exec.Command(l.command[0], l.command[1:]...)
		cmd.Dir = plain.dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("the attack does not work: %v\n%s", err, out)
		}
	}
	l.install(p)
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

// install puts the runner into a project, if it is one of JavaScript.
func (l language) install(p *project) {
	if !l.modules {
		return
	}
	if err := os.Symlink(programtest.NodeModules(p.t), p.at("node_modules")); err != nil {
		p.t.Fatal(err)
	}
}
