package shard

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/strictjson"
	"workflow-reviewer/internal/workflow"
	"workflow-reviewer/schema"
)

var noon = time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)

// exchanged is what came back for a job.
func exchanged(j review.Job) Done {
	return Done{Artifact: j.Artifact, Request: j.Digest, Exchange: review.Exchange{
		Replies:  []review.Reply{{Text: `{"decision":"APPROVED"}`, Model: "gpt-5-codex", Notes: []string{"a note"}}},
		Decision: workflow.Approved, Tokens: workflow.Tokens{Input: 10, Output: 3}, Date: noon, Duration: 1500 * time.Millisecond,
	}}
}

func same(s string) string { return s }

// file is the file of one of a plan's shards.
func file(t testing.TB, p Plan, number, attempt int) []byte {
	t.Helper()
	var done []Done
	for _, j := range p.Shards[number-1].Jobs {
		done = append(done, exchanged(j))
	}
	data, err := p.Encode(number, Origin{Version: "1.0.0", Engine: "codex 0.169.0", Attempt: attempt}, done, same)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func put(t testing.TB, dir, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func collect(t testing.TB, p Plan, dir string) (map[string]review.Exchange, []workflow.Finding) {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close() //nolint:errcheck // read only
	return p.Collect(root, "", noon)
}

// TestHandedOver: what a shard encodes is what report collects, whether the files
// lie side by side or in one folder an artifact.
func TestHandedOver(t *testing.T) {
	p := New(head, base, "", generated(12), 3)
	for _, name := range []string{"results-%[1]d.json", "artifact-%[1]d/results-%[1]d.json"} {
		dir := t.TempDir()
		want := map[string]review.Exchange{}
		for _, s := range p.Shards {
			put(t, dir, fmt.Sprintf(name, s.Number), file(t, p, s.Number, 1))
			for _, j := range s.Jobs {
				x := exchanged(j).Exchange
				x.Engine = "codex 0.169.0"
				want[j.Artifact.Name()] = x
			}
		}
		put(t, dir, "artifact-1/reviews/specs/x.md", []byte("not ours"))
		got, notices := collect(t, p, dir)
		if d := cmp.Diff(want, got); d != "" || len(notices) != 0 {
			t.Errorf("%v %s", notices, d)
		}
	}
}

func TestFailuresAreHandedOver(t *testing.T) {
	p := New(head, base, "", []review.Job{asking(workflow.Spec, "login", 10)}, 1)
	done := exchanged(p.Shards[0].Jobs[0])
	done.Decision, done.Replies = workflow.Error, nil
	done.Failure = &review.EngineError{Class: review.RateLimit, Message: "the key is sk-1" + strings.Repeat("é", 9000), Action: "Wait."}
	data, err := p.Encode(1, Origin{Engine: "codex 1.2.3(odd)\n"}, []Done{done}, func(s string) string {
		return strings.ReplaceAll(s, "sk-1", "***")
	})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	put(t, dir, "results-1.json", data)
	got, _ := collect(t, p, dir)
	f := got["spec: login"].Failure
	if f == nil || f.Class != review.RateLimit || !strings.HasPrefix(f.Message, "the key is ***é") || f.Action != "Wait." {
		t.Errorf("failure %+v", f)
	}
}

// TestTooMuchIsNotHandedOver: the longest answers give way.
func TestTooMuchIsNotHandedOver(t *testing.T) {
	p := New(head, base, "", generated(30), 1)
	var done []Done
	for i, j := range p.Shards[0].Jobs {
		d := exchanged(j)
		if i < 20 {
			d.Replies[0].Text = strings.Repeat("x", 1<<20)
		}
		done = append(done, d)
	}
	data, err := p.Encode(1, Origin{Engine: "codex 0.169.0"}, done, same)
	if err != nil || len(data) > MaxFile {
		t.Fatalf("%d bytes, %v", len(data), err)
	}
	dir := t.TempDir()
	put(t, dir, "results-1.json", data)
	got, _ := collect(t, p, dir)
	failed := 0
	for _, x := range got {
		if x.Failure != nil {
			failed++
		}
	}
	if failed < 4 || failed > 6 {
		t.Errorf("%d of 20 long answers are not handed over", failed)
	}
}

// TestRefused: what does not fit is a failure of the reviews of its shard, and of
// no other.
func TestRefused(t *testing.T) {
	p := New(head, base, "", generated(6), 2)
	good := string(file(t, p, 1, 1))
	edit := func(from, to string) func(testing.TB, string) {
		return func(t testing.TB, dir string) {
			if !strings.Contains(good, from) {
				t.Fatalf("no %q in %s", from, good)
			}
			put(t, dir, "results-1.json", []byte(strings.Replace(good, from, to, 1)))
		}
	}
	entry := strings.SplitAfterN(good[strings.Index(good, `"reviews": [`)+len(`"reviews": [`):], "\n  }", 2)[0]
	for name, c := range map[string]struct {
		change func(testing.TB, string)
		says   string
	}{
		"other base":        {edit(base, strings.Repeat("d", 40)), "is of another base"},
		"other format":      {edit("results@1", "results@2"), "schema"},
		"other shard count": {edit(`"shards": 2`, `"shards": 3`), "is of another plan"},
		"unknown field":     {edit(`"shard": 1,`, `"shard": 1, "Decision": "APPROVED",`), "schema"},
		"unknown decision":  {edit(`"APPROVED",`, `"OVERRIDDEN",`), "schema"},
		"no decision":       {edit(`"decision": "APPROVED",`, ``), "schema"},
		"negative tokens":   {edit(`"input": 10`, `"input": -10`), "schema"},
		"huge tokens":       {edit(`"input": 10`, `"input": 1e300`), "schema"},
		"endless number":    {edit(`"input": 10`, `"input": 1e1000000`), "schema"},
		"no engine":         {edit("codex 0.169.0", "rules"), "schema"},
		"markup as engine":  {edit("codex 0.169.0", "codex <img>"), "schema"},
		"tomorrow":          {edit("2026-01-31T12", "2026-02-01T12"), "holds a review of"},
		"last year":         {edit("2026-01-31T12", "2025-01-31T12"), "holds a review of"},
		"no date":           {edit("2026-01-31T12:00:00Z", "yesterday"), "schema"},
		"a review twice":    {edit(`"reviews": [`, `"reviews": [`+entry+`,`), "twice, or from another shard"},
		"another's review":  {edit(`"feature": "feature-00`, `"feature": "feature-09`), "twice, or from another shard"},
		"three answers": {
			edit(`"answers": [`, `"answers": [{"text":"","model":"","notes":[]},{"text":"","model":"","notes":[]},`),
			"schema",
		},
		"two values": {edit("{", "{} {"), "schema"},
		"a folder": {func(t testing.TB, dir string) {
			if err := os.Mkdir(filepath.Join(dir, "results-1.json"), 0o755); err != nil {
				t.Fatal(err)
			}
		}, "no regular file"},
		"a pipe": {func(t testing.TB, dir string) {
			if err := syscall.Mkfifo(filepath.Join(dir, "results-1.json"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "no regular file"},
		"a link inside": {func(t testing.TB, dir string) {
			put(t, dir, "elsewhere", []byte(good))
			if err := os.Symlink("elsewhere", filepath.Join(dir, "results-1.json")); err != nil {
				t.Fatal(err)
			}
		}, "no regular file"},
		"a linked folder": {func(t testing.TB, dir string) {
			other := t.TempDir()
			put(t, other, "results-1.json", []byte(good))
			if err := os.Symlink(other, filepath.Join(dir, "artifact")); err != nil {
				t.Fatal(err)
			}
		}, "is missing"},
		"deeper": {func(t testing.TB, dir string) {
			put(t, dir, "a/b/results-1.json", []byte(good))
		}, "is missing"},
		"another spelling of the number": {func(t testing.TB, dir string) { put(t, dir, "results-01.json", []byte(good)) }, "is missing"},
		"a later one that does not fit": {func(t testing.TB, dir string) {
			put(t, dir, "results-1.json", []byte(good))
			put(t, dir, "again/results-1.json", []byte(strings.Replace(good, `"attempt": 1`, `"attempt": 2, "x": 1`, 1)))
		}, "schema"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, "results-2.json", file(t, p, 2, 1))
			c.change(t, dir)
			got, _ := collect(t, p, dir)
			for _, s := range p.Shards {
				for _, j := range s.Jobs {
					f := got[j.Artifact.Name()].Failure
					if (f != nil) != (s.Number == 1) || f != nil && (f.Class != review.Results || !strings.Contains(f.Message, c.says)) {
						t.Errorf("shard %d, %s: %+v", s.Number, j.Artifact.Name(), f)
					}
				}
			}
		})
	}
}

// TestOneReviewThatDoesNotFit: the others of its shard do.
func TestOneReviewThatDoesNotFit(t *testing.T) {
	p := New(head, base, "", generated(6), 1)
	for name, change := range map[string]func(*Results){
		"missing":       func(f *Results) { f.Reviews = f.Reviews[1:] },
		"other request": func(f *Results) { f.Reviews[0].Request = "sha256:" + strings.Repeat("0", 64) },
		"other files":   func(f *Results) { f.Reviews[0].Artifacts[0].Blob = strings.Repeat("0", 40) },
		"more files":    func(f *Results) { f.Reviews[0].Artifacts = append(f.Reviews[0].Artifacts, workflow.File{Path: "x"}) },
	} {
		f, err := parse(strictjson.MustSchema(schema.Results), file(t, p, 1, 1))
		if err != nil {
			t.Fatal(err)
		}
		change(&f)
		data, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		put(t, dir, "results-1.json", data)
		got, _ := collect(t, p, dir)
		for i, j := range p.Shards[0].Jobs {
			if failed := got[j.Artifact.Name()].Failure != nil; failed != (i == 0) {
				t.Errorf("%s: review %d failed: %t", name, i, failed)
			}
		}
	}
}

func TestFilesOfNoShard(t *testing.T) {
	p := New(head, base, "", generated(3), 1)
	dir := t.TempDir()
	put(t, dir, "results-1.json", file(t, p, 1, 1))
	put(t, dir, "results-9.json", file(t, p, 1, 1))
	_, notices := collect(t, p, dir)
	if len(notices) != 1 || notices[0].Text != "results-9.json is ignored: the plan has no shard 9" {
		t.Errorf("notices %v", notices)
	}
}

// FuzzParse: whatever a file holds, it is refused or is what was read of it.
func FuzzParse(f *testing.F) {
	p, s := New(head, base, "", generated(3), 1), strictjson.MustSchema(schema.Results)
	f.Add(file(f, p, 1, 1))
	f.Add([]byte(`{"schema":"workflow-reviewer/results@1"}`))
	f.Add([]byte(strings.Repeat("[", 200)))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := parse(s, data)
		if err != nil {
			return
		}
		again, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parse(s, again); err != nil {
			t.Errorf("what was read of %q does not fit: %v", data, err)
		}
	})
}
