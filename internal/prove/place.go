package prove

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/testresult"
	"workflow-reviewer/internal/testtitle"
)

// placer finds the approved test files that reported tests are in. Where several may be meant, or
// none is, the file is not known: such a failure counts for all of them.
type placer struct {
	dir, root string   // that reported paths are below: of the command, of the work tree
	files     []string // approved ones with tests
	tests     []testtitle.Test
	of        []string // the file of each of tests
}

// placer reads the tests of approved files, once. One that cannot be read has none.
func (p *prover) placer(ctx context.Context) *placer {
	if p.places == nil {
		p.places = p.newPlacer(ctx)
	}
	return p.places
}

func (p *prover) newPlacer(ctx context.Context) *placer {
	out := &placer{dir: p.Command.Dir, root: p.Tree.Root()}
	for _, f := range p.Approved {
		if f.Role != approval.Test {
			continue
		}
		out.files = append(out.files, f.Path)
		if src, err := p.Content(f.Blob); err == nil {
			out.add(f.Path, testtitle.Of(ctx, f.Path, src))
		}
	}
	return out
}

func (p *placer) add(file string, tests []testtitle.Test) {
	p.tests = append(p.tests, tests...)
	p.of = append(p.of, slices.Repeat([]string{file}, len(tests))...)
}

// file is the approved file that a failure is in, what the report says if that is another, and ""
// if it is not known.
func (p *placer) file(f testresult.Failure) string {
	if f.File != "" {
		return p.inTree(f.File)
	}
	if file := p.byModule(f.Name); file != "" {
		return file
	}
	file := ""
	for _, i := range testtitle.Find(p.tests, f.Name) {
		if file != "" && file != p.of[i] {
			return ""
		}
		file = p.of[i]
	}
	return file
}

// inTree is a reported path as the repository writes it; one that leads elsewhere stays.
func (p *placer) inTree(file string) string {
	at := filepath.FromSlash(file)
	if !filepath.IsAbs(at) {
		at = filepath.Join(p.dir, at)
	}
	for _, root := range []string{p.root, resolved(p.root)} {
		if rel, err := filepath.Rel(root, at); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return file
}

func resolved(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// byModule is the file that a name begins with: as a path, or, where the language has one module or
// class a file, as that. The longest counts, if it is one file's alone.
func (p *placer) byModule(name string) string {
	found, longest := "", 0
	below := ""
	if rel := p.inTree("x"); rel != "x" {
		below = strings.TrimSuffix(rel, "x")
	}
	for _, file := range p.files {
		switch n := max(testtitle.Begins(below+name, file), testtitle.Begins(name, file)); {
		case n > longest:
			found, longest = file, n
		case n == longest:
			found = ""
		}
	}
	return found
}

// reported tells, of each test, whether a result of a run does. Where a name may be that of several
// tests, as many results must have it.
func (p *placer) reported(s testresult.Summary) []bool {
	seen, times := make([]bool, len(p.tests)), map[string]int{}
	note := func(f testresult.Failure) {
		of := testtitle.Find(p.tests, f.Name)
		if file := p.file(f); file != "" {
			of = slices.DeleteFunc(of, func(i int) bool { return p.of[i] != file })
		}
		key := fmt.Sprint(of)
		if times[key]++; times[key] < len(of) {
			return
		}
		for _, i := range of {
			seen[i] = true
		}
	}
	for _, name := range s.Names {
		note(testresult.Failure{Name: name})
	}
	for _, f := range s.Failures {
		note(f)
	}
	return seen
}
