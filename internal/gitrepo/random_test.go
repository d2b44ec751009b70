package gitrepo

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change"
)

// TestSetAgreesWithGitOnRandomHistories compares merge bases and changed files of histories with merges,
// criss-cross ones among them, moves, edits, modes, links, submodules, and files where folders were.
func TestSetAgreesWithGitOnRandomHistories(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rnd := rand.New(rand.NewPCG(seed, 7))
			const commits = 40
			s := newSandbox(t)
			h := randomHistory{rnd: rnd, files: map[int]map[string]string{}}
			for n := 1; n <= commits; n++ {
				h.commit(n)
			}
			s.fastImport("r.git", h.stream.String())
			if seed%2 == 0 {
				s.git("r.git", "repack", "-adq", "--depth=50", "--window=20")
			}
			ids := strings.Fields(s.git("r.git", "for-each-ref", "--sort=version:refname", "--format=%(objectname)"))
			r := s.open(Options{Workspace: s.path("r.git")})
			for range 25 {
				base, head := ids[rnd.IntN(len(ids))], ids[rnd.IntN(len(ids))]
				set := s.set(r, base, head)
				bases, _ := s.tryGit("r.git", "", "merge-base", "--all", base, head)
				if len(bases) == 0 && set.MergeBase != "" || !slices.Contains(append(strings.Fields(bases), ""), set.MergeBase) {
					t.Fatalf("merge base of %s and %s is %q, git says %q", base, head, set.MergeBase, bases)
				}
				want := raw(s.git("r.git", "diff-tree", "-r", "-z", "--no-renames", "--full-index",
					cmp.Or(set.MergeBase, "4b825dc642cb6eb9a060e54bf8d69288fbee4904"), head))
				if diff := gocmp.Diff(want, sides(set)); diff != "" {
					t.Fatalf("%s...%s (-git +set):\n%s", base, head, diff)
				}
			}
		})
	}
}

// randomHistory writes a random history for git fast-import.
type randomHistory struct {
	rnd    *rand.Rand
	stream strings.Builder
	files  map[int]map[string]string // of each commit: "MODE dataref-or-text" by path
}

// commit adds a commit with up to two parents among the last, or with none.
func (h *randomHistory) commit(n int) {
	fmt.Fprintf(&h.stream, "commit refs/heads/c%d\nmark :%d\ncommitter C <c@e> %d +0000\ndata 1\nx\n",
		n, n, 1_600_000_000+n*10+h.rnd.IntN(40))
	files := map[string]string{}
	if n > 1 && n%17 != 0 {
		first := n - 1 - h.rnd.IntN(min(n-1, 5))
		second := n - 1 - h.rnd.IntN(min(n-1, 5))
		fmt.Fprintf(&h.stream, "from :%d\n", first)
		maps.Copy(files, h.files[first])
		if first != second && h.rnd.IntN(2) == 0 {
			fmt.Fprintf(&h.stream, "merge :%d\n", second)
			for p, text := range h.files[second] {
				if h.rnd.IntN(2) == 0 {
					put(files, p, text)
				}
			}
		}
	}
	for range 1 + h.rnd.IntN(8) {
		h.edit(files)
	}
	h.stream.WriteString("deleteall\n")
	for _, p := range slices.Sorted(maps.Keys(files)) {
		mode, text, _ := strings.Cut(files[p], " ")
		if mode == change.ModeSubmodule {
			fmt.Fprintf(&h.stream, "M %s %s %s\n", mode, text, p)
			continue
		}
		fmt.Fprintf(&h.stream, "M %s inline %s\ndata %d\n%s\n", mode, p, len(text), text)
	}
	h.files[n] = files
}

// edit adds, changes, moves or deletes a file. Names sort before and behind the slash of a folder.
func (h *randomHistory) edit(files map[string]string) {
	names := []string{"a", "a.b", "a-b", "a0", "b", "B", "lib", "lib.go", "ö", "x y"}
	name := func() string {
		p := names[h.rnd.IntN(len(names))]
		for h.rnd.IntN(2) == 0 && len(p) < 12 {
			p += "/" + names[h.rnd.IntN(len(names))]
		}
		return p
	}
	text := lines(3+h.rnd.IntN(30), names[h.rnd.IntN(3)]) + fmt.Sprintln(h.rnd.IntN(3))
	there := slices.Sorted(maps.Keys(files))
	if len(there) == 0 || h.rnd.IntN(3) == 0 {
		put(files, name(), []string{change.ModeRegular, change.ModeExecutable, change.ModeSymlink}[h.rnd.IntN(3)]+" "+text)
		return
	}
	p := there[h.rnd.IntN(len(there))]
	was := files[p]
	switch h.rnd.IntN(5) {
	case 0:
		delete(files, p)
	case 1:
		delete(files, p)
		put(files, name(), was)
	case 2:
		files[p] = change.ModeExecutable + was[6:]
		if was[:6] == change.ModeSubmodule {
			files[p] = change.ModeRegular + " " + text
		}
	case 3:
		files[p] = change.ModeSubmodule + " " + strings.Repeat(fmt.Sprint(1+h.rnd.IntN(9)), 40)
	default:
		files[p] = change.ModeRegular + " " + text
	}
}

// put places a file where neither a folder nor a file of the path's folders stays.
func put(files map[string]string, path, text string) {
	for p := range files {
		if strings.HasPrefix(p, path+"/") || strings.HasPrefix(path, p+"/") {
			delete(files, p)
		}
	}
	files[path] = text
}

// raw is git's raw difference: old and new mode and id by path.
func raw(text string) map[string]string {
	out := map[string]string{}
	fields := strings.Split(text, "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		f := strings.Fields(strings.TrimPrefix(fields[i], ":"))
		out[fields[i+1]] = strings.NewReplacer(strings.Repeat("0", 40), "", "000000", "").
			Replace(fmt.Sprintf("%s %s > %s %s", f[0], f[2], f[1], f[3]))
	}
	return out
}

// sides are a set's files in the form of raw, moves as what they are made of.
func sides(set change.Set) map[string]string {
	out := map[string]string{}
	for _, f := range set.Files {
		if f.Status == change.Renamed {
			out[f.OldPath] = fmt.Sprintf("%s %s >  ", f.OldMode, f.OldBlob)
			out[f.Path] = fmt.Sprintf("  > %s %s", f.Mode, f.Blob)
			continue
		}
		out[f.Path] = fmt.Sprintf("%s %s > %s %s", f.OldMode, f.OldBlob, f.Mode, f.Blob)
	}
	return out
}
