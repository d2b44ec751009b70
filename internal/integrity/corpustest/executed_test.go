package corpustest_test

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"

	"workflow-reviewer/internal/programtest"
)

// world is what makes a repository of a collection run: how, the code that its tests want, and broken versions of it.
type world struct {
	tool, pkg string
	command   []string
	modules   bool // of JavaScript, in node_modules
	code      map[string]string
	broken    map[string]map[string]string // by what is wrong
}

// readWorlds reads testdata/corpus/worlds, by the collection's archive and the number of the base in it.
func readWorlds(t *testing.T) map[string]world {
	t.Helper()
	names, err := filepath.Glob("../../../testdata/corpus/worlds/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal(err, len(names))
	}
	out := map[string]world{}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		w := world{code: map[string]string{}, broken: map[string]map[string]string{}}
		for line := range strings.Lines(string(archive.Comment)) {
			word, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			switch word {
			case "needs":
				w.tool, w.pkg, _ = strings.Cut(rest, " ")
			case "run":
				w.command = append(w.command, rest)
			case "modules":
				w.modules = true
			default:
				t.Fatalf("%s: %q", name, line)
			}
		}
		for _, f := range archive.Files {
			part, path, _ := strings.Cut(f.Name, "/")
			into := w.code
			if part == "broken" {
				defect, rest, _ := strings.Cut(path, "/")
				if w.broken[defect] == nil {
					w.broken[defect] = map[string]string{}
				}
				into, path = w.broken[defect], rest
			}
			into[path] = string(f.Data)
		}
		out[strings.Replace(strings.TrimSuffix(filepath.Base(name), ".txtar"), "-", "/", 1)] = w
	}
	return out
}

// worldOf is the world of a change, whose name is that of the archive, a slash, the base's number, a space and more.
func worldOf(name string) string {
	id, _, _ := strings.Cut(name, " ")
	i := max(strings.LastIndex(id, "/"), 0)
	return id[:i] + "-" + strings.TrimPrefix(id[i:], "/")
}

// TestAttacksRun plays the attacks of the collections that the comparison does not block, where their repositories can be
// run. One is real if code that the tests find broken passes the project's own command with it. Then prove must refuse
// that code, and pass good code that comes with the same change. All are played with ATTACKS=all, else some that are real.
func TestAttacksRun(t *testing.T) {
	worlds := readWorlds(t)
	all := os.Getenv("ATTACKS") == "all"
	some := []string{
		"beside/python/2 new test file atexit attack", "beside/ruby/2 new spec exit attack",
	}
	open := openAttacks(t)
	played, n := map[string][]judged{}, 0 // by world
	for _, c := range collections(t) {
		if id := worldOf(c.name); worlds[id].command != nil && open[c.name] {
			if n++; all || slices.Contains(some, c.name) {
				played[id] = append(played[id], c)
			}
		}
	}
	var mu sync.Mutex
	unreal, sum := []string{}, 0
	t.Run("worlds", func(t *testing.T) {
		for id, attacks := range played {
			t.Run(id, func(t *testing.T) {
				t.Parallel()
				b := worlds[id].begin(t, attacks[0].before)
				for _, c := range attacks {
					is := b.attacked(c)
					mu.Lock()
					if sum++; !is {
						unreal = append(unreal, c.name)
					}
					mu.Unlock()
				}
			})
		}
	})
	slices.Sort(unreal)
	t.Logf("%d attacks of %d played, %d of them real; the others: %q", sum, n, sum-len(unreal), unreal)
	want := len(some)
	if all {
		want = 50
	}
	if sum-len(unreal) < want {
		t.Errorf("want %d that are real", want)
	}
}

// bed is a repository on disk of a world.
type bed struct {
	world
	t       *testing.T
	dir     string
	modules string
}

// begin makes the repository, and sees that the tests tell good code from each broken version.
func (w world) begin(t *testing.T, before map[string]string) bed {
	if _, err := exec.LookPath(w.tool); err != nil {
		t.Fatalf("%s is missing: install the Debian package %s (.ci/run does)", w.tool, w.pkg)
	}
	b := bed{world: w, t: t, dir: t.TempDir()}
	if w.modules {
		b.modules = programtest.NodeModules(t)
	}
	before = over(before, w.code)
	git(t, "init", "-q", "-b", "main", b.dir)
	b.commit(before)
	b.holds(before)
	if code, out := b.ends(w.command...); code != 0 {
		t.Fatalf("good code does not pass: %s", out)
	}
	for defect, code := range w.broken {
		b.holds(over(before, code))
		if code, _ := b.ends(w.command...); code == 0 {
			t.Fatalf("%s: broken code passes", defect)
		}
	}
	return b
}

func (b bed) git(args ...string) {
	b.t.Helper()
	git(b.t, append([]string{"-C", b.dir, "-c", "user.name=A", "-c", "user.email=a@example.com"}, args...)...)
}

func (b bed) commit(tree map[string]string) {
	b.t.Helper()
	if err := writeTree(b.dir, tree); err != nil {
		b.t.Fatal(err)
	}
	b.git("add", "-A", "-f")
	b.git("commit", "-q", "--allow-empty", "-m", "Change")
}

// holds has the branch hold a tree upon main.
func (b bed) holds(tree map[string]string) {
	b.t.Helper()
	b.git("checkout", "-q", "-f", "-B", "change", "main")
	b.git("clean", "-q", "-ffdx")
	b.git("rm", "-q", "-r", "-f", "--ignore-unmatch", ".")
	b.commit(tree)
	if b.modules != "" {
		if err := os.Symlink(b.modules, filepath.Join(b.dir, "node_modules")); err != nil {
			b.t.Fatal(err)
		}
	}
}

// ends runs a command and returns its exit status and what it says.
func (b bed) ends(command ...string) (int, string) {
	b.t.Helper()
	cmd := exec.Command("timeout", append([]string{"60"}, command...)...)
	cmd.Dir = b.dir
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		b.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// attacked plays an attack with each broken version of the code until one shows it to be real.
func (b bed) attacked(c judged) (isReal bool) {
	with := func(code map[string]string) map[string]string { // what the change leaves alone of the code is the world's
		after := maps.Clone(c.after)
		for p, text := range code {
			if c.after[p] == c.before[p] {
				after[p] = text
			}
		}
		return after
	}
	prove := append([]string{binary, "prove", "--approved", "main", "--"}, b.command...)
	for _, defect := range slices.Sorted(maps.Keys(b.broken)) {
		broken := with(over(b.code, b.broken[defect]))
		b.holds(broken)
		if code, _ := b.ends(b.command...); code != 0 {
			continue
		}
		b.holds(broken)
		if code, out := b.ends(prove...); code == 0 {
			b.t.Errorf("%s: broken code (%s) passes prove: %s", c.name, defect, out)
		}
		b.holds(with(b.code))
		if code, out := b.ends(prove...); code != 0 {
			b.t.Errorf("%s: good code does not pass prove: %s", c.name, out)
		}
		return true
	}
	return false
}
