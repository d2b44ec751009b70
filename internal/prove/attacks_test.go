package prove_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tally counts what came of attacks.
type tally struct {
	real, refused, passed int
	added                 int      // of the real ones, those that only add files
	missed, blamed        []string // broken code that passes, good code that does not
	unreal                []string
}

// TestAttacks plays what a change may add or alter so that broken code passes the project's own run. An attack counts if
// that is so on this machine. Then prove must refuse the broken code, and pass good code that comes with the same files.
func TestAttacks(t *testing.T) {
	list, err := filepath.Glob("testdata/attacks/*.txtar")
	if err != nil || len(list) == 0 {
		t.Fatal(err, len(list))
	}
	tallies := make([]tally, len(list))
	t.Run("stacks", func(t *testing.T) {
		for i, name := range list {
			t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
				t.Parallel()
				l := readLanguage(t, name)
				needs(t, l.tool, l.pkg)
				tallies[i] = l.attacked(t)
			})
		}
	})
	var sum tally
	for i, name := range list {
		s := tallies[i]
		t.Logf("%-10s %3d real, %3d in new files, %3d refused, %3d passed; missed %q, blamed %q, not real %q",
			strings.TrimSuffix(filepath.Base(name), ".txtar"), s.real, s.added, s.refused, s.passed, s.missed, s.blamed, s.unreal)
		sum.real, sum.refused, sum.passed = sum.real+s.real, sum.refused+s.refused, sum.passed+s.passed
		sum.added += s.added
	}
	t.Logf("%d attacks, %d of them in new files: %d refused, with good code %d passed", sum.real, sum.added, sum.refused, sum.passed)
	if everyAttack() == 1 && (sum.real < 120 || 2*sum.added < sum.real || 100*sum.refused < 97*sum.real || 100*sum.passed < 98*sum.real) {
		t.Error("want 120 attacks, half of them in new files, 97 % of them refused, and 98 % of good code passed")
	}
}

// everyAttack says which attacks are played: each one with ATTACKS=all (make attacks), which takes minutes, or the first
// of every sixteen of a runner.
func everyAttack() int {
	if os.Getenv("ATTACKS") == "all" || os.Getenv("ATTACK") != "" {
		return 1
	}
	return 16
}

// documented are the attacks that docs/prove.md lists as got through, or as blamed on good code.
var documented = []string{"nearer-module", "included-env", "build-script"}

// attacked plays the attacks of one project in one repository.
func (l language) attacked(t *testing.T) tally {
	p := newProject(t, l.parts["approved"])
	l.begin(p, l.parts["good"])
	if !l.passes(p) {
		t.Fatal("good code does not pass")
	}
	l.begin(p, l.parts["broken"])
	if l.passes(p) {
		t.Fatal("broken code passes")
	}
	var sum tally
	count := 0
	for _, part := range slices.Sorted(maps.Keys(l.parts)) {
		name, ok := strings.CutPrefix(part, "attack/")
		if !ok || !strings.Contains(part, os.Getenv("ATTACK")) {
			continue
		}
		if count++; (count-1)%everyAttack() != 0 {
			continue
		}
		attack := l.parts[part]
		l.begin(p, l.parts["broken"], attack)
		if !l.passes(p) {
			sum.unreal = append(sum.unreal, name)
			t.Logf("%s: not real", name)
			continue
		}
		sum.real++
		if l.adds(attack) {
			sum.added++
		}
		if r := l.begin(p, l.parts["broken"], attack).prove(l.proof()...); r.code != 0 {
			sum.refused++
		} else {
			sum.missed = append(sum.missed, name)
			report(t, name)("%s: broken code passes: %s%s", name, r.out, r.err)
		}
		if r := l.begin(p, l.parts["good"], attack).prove(l.proof()...); r.code == 0 {
			sum.passed++
		} else {
			sum.blamed = append(sum.blamed, name)
			report(t, name)("%s: good code: %s%s", name, r.out, r.err)
		}
	}
	return sum
}

// report is how a miss is told: as a failure, unless it is documented.
func report(t *testing.T, name string) func(format string, args ...any) {
	if slices.Contains(documented, name) {
		return t.Logf
	}
	return t.Errorf
}

// begin has the work tree hold a change of what was approved, and nothing that earlier runs left.
func (l language) begin(p *project, changes ...files) *project {
	p.git("reset", "-q", "--hard", "main")
	p.git("clean", "-fdxq")
	for _, c := range changes {
		p.write(c)
	}
	p.git("add", "-A", "-f")
	p.git("commit", "-q", "--allow-empty", "-m", "Change")
	l.install(p)
	return p
}

// passes runs the command as the project does.
func (l language) passes(p *project) bool {
	cmd := exec.Command(l.command[0], l.command[1:]...)
	cmd.Dir = p.dir
	out, err := cmd.CombinedOutput()
	if os.Getenv("ATTACK") != "" {
		p.t.Logf("%v\n%s", err, out)
	}
	return err == nil
}

func (l language) proof() []string {
	args := []string{"--approved", "main"}
	if l.results != "" {
		args = append(args, "--results", l.results)
	}
	return append(append(args, "--"), l.command...)
}

// adds reports whether an attack changes no file that was approved.
func (l language) adds(attack files) bool {
	for name := range attack {
		if l.parts["approved"][name] != "" {
			return false
		}
	}
	return true
}
