package report_test

import (
	"bytes"
	"encoding/json"
	"net/url"
	"testing"

	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/workflow"
)

// TestSARIFPlaces: each URI is a relative reference that leads back to the file.
func TestSARIFPlaces(t *testing.T) {
	for _, file := range []string{"src/a.py", "c:d.py", "c:d/e:f.py", "a b/#1?.py", "100%.py", "übung/ä.md"} {
		rep := report.Build(report.Run{Results: []workflow.Result{{
			Artifact: workflow.Artifact{Type: workflow.Implementation, Feature: "x", Files: []workflow.File{{Path: file}}},
			Decision: workflow.NeedsChanges, Issues: []workflow.Finding{{Level: workflow.Block, Title: "x", File: file, Line: 1}},
		}}})
		data, err := rep.SARIF()
		if err != nil {
			t.Fatal(err)
		}
		var log struct {
			Runs []struct {
				Results []struct {
					Locations []struct {
						PhysicalLocation struct{ ArtifactLocation struct{ URI string } }
					}
				}
			}
		}
		if err := json.Unmarshal(data, &log); err != nil {
			t.Fatal(err)
		}
		uri := log.Runs[0].Results[0].Locations[0].PhysicalLocation.ArtifactLocation.URI
		if u, err := url.Parse(uri); err != nil || u.Scheme != "" || u.Path != file || u.Fragment != "" || u.RawQuery != "" {
			t.Errorf("%q became %q: %v", file, uri, err)
		}
	}
}

// TestListsAreLaidOutAsOneDocument: what is written entry by entry is laid out as if it were not.
func TestListsAreLaidOutAsOneDocument(t *testing.T) {
	for _, n := range []int{0, 1, 3} {
		run := report.Run{Notices: []workflow.Finding{{Text: "\n  \"reviews\": []\n      \"results\": []"}}}
		run.Failure = &workflow.Failure{Message: run.Notices[0].Text}
		for range n {
			run.Results = append(run.Results, workflow.Result{
				Artifact: workflow.Artifact{Type: workflow.Spec, Feature: "x"}, Decision: workflow.NeedsChanges,
				Issues: []workflow.Finding{{Level: workflow.Block, Title: "x", File: "a.md", Line: 1}},
			})
		}
		rep := report.Build(run)
		for name, write := range map[string]func() ([]byte, error){"report.json": rep.JSON, "results.sarif": rep.SARIF} {
			data, err := write()
			if err != nil {
				t.Fatal(err)
			}
			var laidOut bytes.Buffer
			if err := json.Indent(&laidOut, data, "", "  "); err != nil || laidOut.String() != string(data) {
				t.Errorf("%s of %d reviews: %v\n%s", name, n, err, data)
			}
		}
	}
}
