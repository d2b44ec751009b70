package starter

import (
	"cmp"
	_ "embed"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/detect"
)

//go:embed suites.yaml
var suitesYAML []byte

// runner is an entry of suites.yaml.
type runner struct {
	Language     string
	Files        []string
	Holds, Lacks pattern
	Tests        pattern
	Nested       bool
	Use          string
	With         map[string]string
	Install      []struct{ File, Run string }
	Command      string
	Reporting    string // the command that writes test results; "" where Command does
	Reports      string // glob of the test results; "" where there are none
}

// pattern is a regular expression; an empty one fits nothing.
type pattern struct{ *regexp.Regexp }

// UnmarshalYAML implements yaml.Unmarshaler.
func (p *pattern) UnmarshalYAML(n *yaml.Node) (err error) {
	p.Regexp, err = regexp.Compile(n.Value)
	return err
}

func (p pattern) fits(text string) bool { return p.Regexp != nil && p.MatchString(text) }

var runners = sync.OnceValue(func() []runner {
	var all []runner
	if err := yaml.Unmarshal(suitesYAML, &all); err != nil {
		panic(err) // a part of the program
	}
	return all
})

// Suite is how tests of one language in one folder are run.
type Suite struct {
	Folder    string // "" for the root
	Command   string
	Reporting string            // the same, writing test results
	Reports   string            // glob of these results, in the folder; "" for none
	Use       string            // action that sets up what the command needs
	With      map[string]string // its inputs
	Install   string            // command before, in the folder

	language string
	nested   bool
}

// suites finds how the tests of a project are run. The first entry of the table that fits a folder
// counts for its language, and for the folders below unless the entry says that it does not run
// them.
func (p project) suites() []Suite {
	var out []Suite
	for _, folder := range p.folders() {
		for _, r := range runners() {
			known := func(s Suite) bool { return s.language == r.Language && s.covers(folder) }
			if !slices.ContainsFunc(out, known) && p.runs(r, folder) {
				out = append(out, p.suite(r, folder))
			}
		}
	}
	return out
}

// covers reports whether the suite runs the tests of a folder, too.
func (s Suite) covers(folder string) bool {
	return s.Folder == folder ||
		!s.nested && (s.Folder == "" || strings.HasPrefix(folder, s.Folder+"/"))
}

// folders are those of a project that may have tests of their own, the outer ones first.
func (p project) folders() []string {
	out := []string{""}
	for _, file := range p.files {
		folder := path.Dir(file)
		if folder != "." && !slices.Contains(out, folder) && p.isManifest(path.Base(file)) &&
			isOwn(folder) {
			out = append(out, folder)
		}
	}
	slices.SortStableFunc(
		out,
		func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") },
	)
	return out
}

func (project) isManifest(name string) bool {
	return slices.ContainsFunc(runners(), func(r runner) bool { return matchesAny(r.Files, name) })
}

// plain is a folder's name that means the same to a shell.
var plain = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/-]*$`)

// isOwn reports whether a folder may hold a part of the project: neither others' work nor what only
// shows how tests work.
func isOwn(folder string) bool {
	for _, segment := range strings.Split(folder, "/") {
		if strings.HasPrefix(segment, ".") || conventions.IsDataFolder(segment) ||
			conventions.IsSupportFolder(segment) ||
			strings.HasPrefix(segment, "example") {
			return false
		}
	}
	return plain.MatchString(folder) && detect.Foreign(folder+"/x.py") == ""
}

// matchesAny reports whether a file's name matches a glob.
func matchesAny(globs []string, name string) bool {
	return slices.ContainsFunc(globs, func(g string) bool {
		ok, err := path.Match(g, name)
		return ok && err == nil
	})
}

// runs reports whether a folder's tests are run so.
func (p project) runs(r runner, folder string) bool {
	if r.Tests.Regexp != nil && !p.hasTest(r, folder) || len(r.Files) == 0 && folder != "" {
		return false
	}
	return len(r.Files) == 0 || slices.ContainsFunc(p.files, func(file string) bool {
		rel, ok := below(folder, file)
		if !ok || !matchesAny(r.Files, rel) {
			return false
		}
		text := p.read(file)
		return (r.Holds.Regexp == nil || r.Holds.fits(text)) && !r.Lacks.fits(text)
	})
}

// hasTest reports whether a folder holds a test that the runner would run.
func (p project) hasTest(r runner, folder string) bool {
	return slices.ContainsFunc(p.files, func(file string) bool {
		_, ok := below(folder, file)
		return ok && conventions.Language(file) == r.Language && conventions.IsTest(file) &&
			r.Tests.fits(p.read(file))
	})
}

// suite is how the tests of a folder are installed and run.
func (p project) suite(r runner, folder string) Suite {
	s := Suite{
		Folder: folder, Command: r.Command, Use: r.Use, With: r.With,
		Reporting: cmp.Or(r.Reporting, r.Command), Reports: r.Reports,
		language: r.Language, nested: r.Nested,
	}
	for _, i := range r.Install {
		if i.File == "" || slices.Contains(p.files, path.Join(folder, i.File)) {
			s.Install = i.Run
			break
		}
	}
	return s
}

// below is a path from a folder on.
func below(folder, file string) (rel string, ok bool) {
	if folder == "" {
		return file, true
	}
	return strings.CutPrefix(file, folder+"/")
}
