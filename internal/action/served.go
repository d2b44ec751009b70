package action

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/mcpserver"
	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/testresult"
	"workflow-reviewer/internal/workflow"
)

// served is one call of a review tool, and what its run needs beyond a local one.
type served struct {
	writers *writers
	call    mcpserver.ReviewCall
	tell    func(string)

	results *testresult.Summary // that the call itself holds
	saved   string              // path of the review in the work tree
}

// moves reports whether the artifact is to move when it is approved.
func (c *served) moves() bool {
	return c.call.AutoMoveOnApproval || c.call.AutoMoveToDone || c.call.AutoMoveToFixed
}

// takeResults reads test results that the call holds, and leaves the name of a file to the inputs.
func (c *served) takeResults(inputs map[string]string) error {
	given := strings.TrimSpace(c.call.TestResults)
	if !strings.Contains(given, "\n") && !strings.HasPrefix(given, "<") && !strings.HasPrefix(given, "{") {
		if s, err := testresult.ParseOutput(given); err == nil {
			c.results = &s
			return nil
		}
		inputs["test-results"] = given
		return nil
	}
	s, err := testresult.Parse("test_results", []byte(given))
	if err != nil {
		s, err = testresult.ParseOutput(given)
	}
	if err != nil {
		return fmt.Errorf("test_results: %w; give a path of JUnit XML or of the output of go test -json, the text %q, or all that the "+
			"test runner printed",
			err, testresult.AllPassing)
	}
	c.results = &s
	return nil
}

// unlimitedRounds is how often a writer may ask: a call is a request like
// /review, and what limits the rounds of a pull request does not limit drafts.
const unlimitedRounds = 1000

// begin makes a session that of the call.
func (c *served) begin(s *session) {
	s.serve = c
	s.cfg.MaxIterations = unlimitedRounds
	if c.results != nil {
		s.measured.tests = c.results
	}
	log := s.events.Log
	s.events.Log = func(line string) {
		log(line)
		c.tell(line)
	}
}

// named are the paths by which the call names its artifact.
func (c *served) named() []string {
	p := c.call
	paths := slices.Concat(p.SkeletonFiles, p.TestFiles, p.ImplementationFiles, p.FixFiles)
	of := map[workflow.Type]string{
		workflow.Vision: p.VisionPath, workflow.Scope: p.ScopePath, workflow.Roadmap: p.RoadmapPath, workflow.Spec: p.SpecPath,
	}
	for _, one := range []string{p.Path, p.BugReportPath, p.SentinelTest, of[p.Type]} {
		if one != "" {
			paths = append(paths, one)
		}
	}
	return paths
}

// beside are documents that the call names besides, with their types.
func (c *served) beside() map[workflow.Type]string {
	all := map[workflow.Type]string{workflow.Spec: c.call.SpecPath, workflow.Scope: c.call.ScopePath, workflow.Vision: c.call.VisionPath}
	delete(all, c.call.Type)
	maps.DeleteFunc(all, func(_ workflow.Type, p string) bool { return p == "" })
	return all
}

// detect finds the artifact of the call, the one of its kind that the call names.
func (c *served) detect(ctx context.Context, s *session, set change.Set, opt detect.Options) (detect.Result, error) {
	if err := c.aim(ctx, s, set, opt); err != nil {
		return detect.Result{}, err
	}
	opt.Paths, opt.Features = s.cfg.Paths, s.cfg.Features
	if c.beside()[workflow.Spec] != "" {
		opt.Approved = nil // the call says what the files belong to
	}
	found, err := detect.Artifacts(ctx, set, opt)
	if err == nil && len(opt.Paths) == 0 && !slices.ContainsFunc(found.Artifacts, c.isMeant) && c.call.Feature != "" {
		if opt.Paths, err = called(set, s.detectOptions(), c.call.Feature); err == nil && len(opt.Paths) > 0 {
			s.cfg.Paths = opt.Paths
			found, err = detect.Artifacts(ctx, set, opt)
		}
	}
	if err != nil {
		return found, fmt.Errorf("find the artifact: %w", err)
	}
	return c.choose(found)
}

// aim has detection look at what the call names.
func (c *served) aim(ctx context.Context, s *session, set change.Set, opt detect.Options) error {
	for t, p := range c.beside() {
		if _, err := set.HeadTree.Stat(p); err != nil {
			return fmt.Errorf("%s not found at %s: name its path from the repository's root", t.Title(), p)
		}
	}
	entries, err := set.HeadTree.List("")
	if err != nil {
		return err
	}
	var paths []string
	for _, given := range c.named() {
		p := path.Clean(filepath.ToSlash(strings.TrimSpace(given)))
		if !filepath.IsLocal(p) {
			return fmt.Errorf("%q is outside of the repository: name paths from its root", given)
		}
		if _, err := set.HeadTree.Stat(p); errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(p, "*?[{") {
			for _, e := range entries {
				if doublestar.MatchUnvalidated(p, e.Path) {
					paths = append(paths, e.Path)
				}
			}
			continue
		}
		paths = append(paths, p)
	}
	s.cfg.Paths = paths
	if len(c.named()) > 0 && len(paths) == 0 {
		return fmt.Errorf("no file of the repository matches %s", strings.Join(c.named(), ", "))
	}
	spec := c.beside()[workflow.Spec]
	if spec == "" {
		return nil
	}
	opt.Types, opt.Paths = []workflow.Type{workflow.Spec}, []string{spec}
	found, err := detect.Artifacts(ctx, set, opt)
	if err != nil {
		return err
	}
	feature := strings.TrimSuffix(path.Base(spec), path.Ext(spec))
	if len(found.Artifacts) == 1 {
		feature = found.Artifacts[0].Feature
	}
	if len(paths) == 0 {
		c.call.Feature = feature
		return nil
	}
	globs := make([]string, 0, len(paths))
	for _, p := range paths {
		globs = append(globs, escapeGlob(p))
	}
	s.cfg.Features = maps.Clone(s.cfg.Features)
	if s.cfg.Features == nil {
		s.cfg.Features = map[string][]string{}
	}
	s.cfg.Features[feature] = append(globs, s.cfg.Features[feature]...)
	return nil
}

// escapeGlob is the glob that matches a path and nothing else.
func escapeGlob(p string) string {
	var b strings.Builder
	for _, r := range p {
		if strings.ContainsRune(`*?[]{}\`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// called lists the files of the head whose path names a feature.
func called(set change.Set, opt detect.Options, feature string) ([]string, error) {
	lookup, err := detect.NewLookup(set, opt)
	if err != nil {
		return nil, err
	}
	entries, err := set.HeadTree.List("")
	var out []string
	for _, e := range entries {
		if lookup.Names(e.Path, feature) {
			out = append(out, e.Path)
		}
	}
	return out, err
}

// leaveUnasked keeps of the jobs beside the one that a call means those that ask no model: what they came to counts for
// it as it does in CI, and whoever wants to know what a model says calls their own tool.
func (r *round) leaveUnasked(others []workflow.Artifact) {
	r.jobs = slices.DeleteFunc(r.jobs, func(j review.Job) bool {
		beside := slices.ContainsFunc(others, func(a workflow.Artifact) bool { return a.Name() == j.Artifact.Name() })
		asks := beside && j.Kind == review.Asks
		if asks {
			r.notices = append(r.notices, workflow.Notice{Text: fmt.Sprintf(
				"%s differs from the base as well, and no review of it stands: have it reviewed too, CI asks for both", j.Artifact.Name())})
		}
		return asks
	})
}

func (c *served) isMeant(a workflow.Artifact) bool {
	return a.Type == c.call.Type && (c.call.Feature == "" || detect.SameFeature(a.Feature, c.call.Feature))
}

// choose keeps the one artifact that the call means. It is an error if there is none, or more than one.
func (c *served) choose(found detect.Result) (detect.Result, error) {
	for _, m := range found.Missing {
		return found, errors.New(m.Message)
	}
	var meant []workflow.Artifact
	var features []string
	for _, a := range found.Artifacts {
		if c.isMeant(a) {
			meant, features = append(meant, a), append(features, a.Feature)
		}
	}
	switch len(meant) {
	case 0:
		return found, c.nothing(found.Notices)
	case 1:
	default:
		return found, fmt.Errorf("there are several artifacts of type %s, of the features %s: call once for each, with feature, "+
			"spec_path or the paths of one",
			c.call.Type, strings.Join(features, ", "))
	}
	for t, p := range c.beside() {
		if t == workflow.Spec {
			meant[0].SpecPath = p
		} else if path.Dir(p) != "." && !slices.Contains(meant[0].Companions, p) {
			meant[0].Companions = append(slices.Clone(meant[0].Companions), p)
		}
	}
	found.Artifacts = meant
	return found, nil
}

// nothing says why there is nothing to review.
func (c *served) nothing(notices []workflow.Notice) error {
	what := "nothing that differs from the base is of type " + string(c.call.Type)
	if len(c.named()) > 0 {
		what = fmt.Sprintf("%s is not of type %s", strings.Join(c.named(), ", "), c.call.Type)
	} else if c.call.Feature != "" {
		what = fmt.Sprintf("no artifact of type %s was found for the feature %q", c.call.Type, c.call.Feature)
	}
	for _, n := range notices {
		if n.Path != "" && len(what) < 1000 {
			what += "; " + n.Path + ": " + n.Text
		}
	}
	return errors.New(what + ". Name the artifact by its path")
}
