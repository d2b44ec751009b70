package integrity

import (
	"context"
	"path"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/violation"
)

// submodules judges those in the folders of tests: no record can list what is in them.
func (c *checker) submodules(ctx context.Context) error {
	for _, f := range c.Set.Files {
		if f.Mode == change.ModeSubmodule || f.OldMode == change.ModeSubmodule {
			c.submodule(f, c.records())
		}
	}
	return ctx.Err()
}

// records are the files that baselines list, by path.
func (c *checker) records() map[string]approval.File {
	if c.listed != nil {
		return c.listed
	}
	out := map[string]approval.File{}
	c.listed = out
	for _, b := range c.Baselines {
		for _, f := range b.Files {
			if was, ok := out[f.Path]; !ok || was.Role != approval.Test {
				out[f.Path] = f
			}
		}
	}
	return out
}

// submodule judges one that stands among tests or has approved files in its
// place. Where it came from the folder of files, these are gone anyway.
func (c *checker) submodule(f change.File, known map[string]approval.File) {
	if _, listed := known[f.Path]; listed || f.Blob == f.OldBlob && f.Mode == f.OldMode ||
		f.Status == change.Added {
		return
	}
	for p, file := range known {
		if file.Role == approval.Test &&
			(within(f.Path, path.Dir(p)) && path.Dir(p) != "." ||
				c.Role(f.Path+"/x.py") >= detect.Helper ||
				c.mentioned("", f.Path)) {
			at := violation.Place{Path: f.Path, Line: 1, Text: "commit " + change.Short(f.OldBlob)}
			is := at
			is.Text = "commit " + change.Short(f.Blob)
			c.violate(violation.Changed(violation.HelperChanged, at, is,
				"Submodule of the tests changed: "+f.Path+" is another commit than on the base"))
			return
		}
	}
}
