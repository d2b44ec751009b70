package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/glob"
	"workflow-reviewer/internal/localrun"
	"workflow-reviewer/internal/mcpserver"
	"workflow-reviewer/internal/measured"
	"workflow-reviewer/internal/pipeline"
	"workflow-reviewer/internal/testresult"
	"workflow-reviewer/internal/workflow"
)

// reviewCall is one call of a review tool, and what its run needs beyond a local one.
type reviewCall struct {
	writers *writers
	call    mcpserver.ReviewCall
	tell    func(string)

	results *testresult.Summary // that the call itself holds
	saved   string              // path of the review in the work tree
}

// options are those of a local run for a call.
func (w *writers) options(base, revision string) localrun.Options {
	return localrun.Options{
		Repo: w.root, Base: cmp.Or(base, w.base), Head: cmp.Or(revision, "HEAD"),
		Worktree: revision == "",
		JSON:     true, Inputs: maps.Clone(w.inputs),
	}
}

// moves reports whether the artifact is to move when it is approved.
func (c *reviewCall) moves() bool {
	return c.call.AutoMoveOnApproval || c.call.AutoMoveToDone || c.call.AutoMoveToFixed
}

// takeResults reads test results that the call holds, and leaves the name of a file to the inputs.
// A text of several lines is taken for what a runner printed. One that says neither how many
// passed nor how many failed is an error, never a pass.
func (c *reviewCall) takeResults(inputs map[string]string) error {
	given := strings.TrimSpace(c.call.TestResults)
	if !strings.Contains(given, "\n") && !strings.HasPrefix(given, "<") &&
		!strings.HasPrefix(given, "{") {
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
		return fmt.Errorf(
			"test_results: %w; give a path of JUnit XML or of the output of go test -json, the "+
				"text %q, or all that the "+
				"test runner printed",
			err,
			testresult.AllPassing,
		)
	}
	c.results = &s
	return nil
}

// unlimitedRounds is how often a writer may ask: a call is a request like
// /review, and what limits the rounds of a pull request does not limit drafts.
const unlimitedRounds = 1000

var _ localrun.Call = (*reviewCall)(nil)

// Adjust implements localrun.Call.
func (c *reviewCall) Adjust(cfg *config.Config, m *measured.Data) {
	cfg.MaxIterations = unlimitedRounds
	if c.results != nil {
		m.Tests = c.results
	}
}

// Log implements localrun.Call.
func (c *reviewCall) Log(line string) { c.tell(line) }

// named are the paths by which the call names its artifact.
func (c *reviewCall) named() []string {
	p := c.call
	paths := slices.Concat(p.SkeletonFiles, p.TestFiles, p.ImplementationFiles, p.FixFiles)
	of := map[workflow.Type]string{
		workflow.Vision: p.VisionPath, workflow.Scope: p.ScopePath, workflow.Roadmap: p.RoadmapPath,
		workflow.Spec: p.SpecPath,
	}
	for _, one := range []string{p.Path, p.BugReportPath, p.SentinelTest, of[p.Type]} {
		if one != "" {
			paths = append(paths, one)
		}
	}
	return paths
}

// beside are documents that the call names besides, with their types.
func (c *reviewCall) beside() map[workflow.Type]string {
	all := map[workflow.Type]string{
		workflow.Spec: c.call.SpecPath, workflow.Scope: c.call.ScopePath,
		workflow.Vision: c.call.VisionPath,
	}
	delete(all, c.call.Type)
	maps.DeleteFunc(all, func(_ workflow.Type, p string) bool { return p == "" })
	return all
}

// Detect finds the artifact of the call, the one of its kind that the call names.
func (c *reviewCall) Detect(
	ctx context.Context, req pipeline.Request, set change.Set, opt detect.Options,
) (pipeline.Request, detect.Result, error) {
	var err error
	if req.Config.Paths, err = c.paths(set.HeadTree); err == nil {
		err = c.nameFeature(ctx, &req.Config, set, opt)
	}
	if err != nil {
		return req, detect.Result{}, err
	}
	opt.Paths, opt.Features = req.Config.Paths, req.Config.Features
	if c.beside()[workflow.Spec] != "" {
		opt.Approved = nil // the call says what the files belong to
	}
	found, err := detect.Artifacts(ctx, set, opt)
	if err == nil && len(opt.Paths) == 0 && !slices.ContainsFunc(found.Artifacts, c.isMeant) &&
		c.call.Feature != "" {
		if opt.Paths, err = called(set, req.DetectOptions(), c.call.Feature); err == nil &&
			len(opt.Paths) > 0 {
			req.Config.Paths = opt.Paths
			found, err = detect.Artifacts(ctx, set, opt)
		}
	}
	if err != nil {
		return req, found, fmt.Errorf("find the artifact: %w", err)
	}
	found, err = c.choose(found)
	return req, found, err
}

// paths are the files of the head that the call names. They are named from the root of the
// repository; one that leaves it is an error. A path with * may be a pattern, unless a file has
// that name.
func (c *reviewCall) paths(head change.Tree) (paths []string, err error) {
	for t, p := range c.beside() {
		if _, err := head.Stat(p); err != nil {
			return nil, fmt.Errorf(
				"%s not found at %s: name its path from the repository's root", t.Title(), p,
			)
		}
	}
	entries, err := head.List("")
	if err != nil {
		return nil, err
	}
	for _, given := range c.named() {
		p := path.Clean(filepath.ToSlash(strings.TrimSpace(given)))
		if !filepath.IsLocal(p) {
			return nil, fmt.Errorf(
				"%q is outside of the repository: name paths from its root", given,
			)
		}
		_, err := head.Stat(p)
		if !errors.Is(err, fs.ErrNotExist) || !strings.ContainsAny(p, "*?[{") {
			paths = append(paths, p)
			continue
		}
		for _, e := range entries {
			if glob.Match(p, e.Path) {
				paths = append(paths, e.Path)
			}
		}
	}
	if len(c.named()) > 0 && len(paths) == 0 {
		return nil, fmt.Errorf(
			"no file of the repository matches %s", strings.Join(c.named(), ", "),
		)
	}
	return paths, nil
}

// nameFeature has what the call names belong to the feature of the spec that it names besides.
func (c *reviewCall) nameFeature(
	ctx context.Context, cfg *config.Config, set change.Set, opt detect.Options,
) error {
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
	if len(cfg.Paths) == 0 {
		c.call.Feature = feature
		return nil
	}
	features := map[string][]string{}
	maps.Copy(features, cfg.Features)
	for _, p := range cfg.Paths {
		features[feature] = append(features[feature], escapeGlob(p))
	}
	cfg.Features = features
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

// called lists the files of the head whose path names a feature. Names are compared as features
// are, so that letter case and - or _ make no difference.
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

func (c *reviewCall) isMeant(a workflow.Artifact) bool {
	return a.Type == c.call.Type &&
		(c.call.Feature == "" || detect.SameFeature(a.Feature, c.call.Feature))
}

// choose keeps the one artifact that the call means. It is an error if there is none, or more than
// one.
func (c *reviewCall) choose(found detect.Result) (detect.Result, error) {
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
		return found, fmt.Errorf(
			"there are several artifacts of type %s, of the features %s: call once for each, "+
				"with feature, "+
				"spec_path or the paths of one",
			c.call.Type,
			strings.Join(features, ", "),
		)
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
func (c *reviewCall) nothing(notices []workflow.Finding) error {
	what := "nothing that differs from the base is of type " + string(c.call.Type)
	if len(c.named()) > 0 {
		what = fmt.Sprintf("%s is not of type %s", strings.Join(c.named(), ", "), c.call.Type)
	} else if c.call.Feature != "" {
		what = fmt.Sprintf(
			"no artifact of type %s was found for the feature %q", c.call.Type, c.call.Feature,
		)
	}
	for _, n := range notices {
		if n.File != "" && len(what) < 1000 {
			what += "; " + n.File + ": " + n.Text
		}
	}
	return errors.New(what + ". Name the artifact by its path")
}
