package shard

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/workflow"
)

var (
	head = strings.Repeat("a", 40)
	base = strings.Repeat("b", 40)
)

// asking is a job that asks a model.
func asking(typ workflow.Type, feature string, size int) review.Job {
	a := workflow.Artifact{
		Type:    typ,
		Feature: feature,
		Files:   []workflow.File{{Path: feature, Blob: strings.Repeat("c", 40)}},
	}
	return review.Job{Artifact: a, Kind: review.Asks, Size: size, Digest: "sha256:" + fmt.Sprintf("%064d", size)}
}

// generated are features with a spec, tests and code each, in the plan's order;
// most are small, a few are large.
func generated(n int) []review.Job {
	random := rand.New(rand.NewPCG(1, 2))
	size := func() int { return int(min(math.Exp(random.NormFloat64()+9.5), 400_000)) }
	var jobs []review.Job
	for _, t := range []workflow.Type{workflow.Spec, workflow.Tests, workflow.Implementation} {
		for i := range n / 3 {
			jobs = append(jobs, asking(t, fmt.Sprintf("feature-%03d", i), size()))
		}
	}
	return jobs
}

// TestBalance: 300 reviews on 20 shards; the longest is at most 1.3 times the
// mean.
func TestBalance(t *testing.T) {
	jobs := generated(300)
	p := New(head, base, "", jobs, 20)
	if len(p.Shards) != 20 || p.Reviews() != 300 {
		t.Fatalf("%d reviews in %d shards", p.Reviews(), len(p.Shards))
	}
	var all, longest int64
	for _, s := range p.Shards {
		all, longest = all+s.Tokens, max(longest, s.Tokens)
	}
	if mean := float64(all) / 20; float64(longest) > 1.3*mean {
		t.Errorf("the longest shard has %d estimated tokens, the mean is %.0f", longest, mean)
	}
}

// TestTestsStayWithTheirImplementation: in one shard, and before it.
func TestTestsStayWithTheirImplementation(t *testing.T) {
	for _, s := range New(head, base, "", generated(300), 20).Shards {
		for i, j := range s.Jobs {
			if j.Artifact.Type != workflow.Implementation {
				continue
			}
			tests := slices.IndexFunc(s.Jobs, func(k review.Job) bool {
				return k.Artifact.Type == workflow.Tests && k.Artifact.Feature == j.Artifact.Feature
			})
			if tests < 0 || tests > i {
				t.Errorf(
					"shard %d: the tests of %s are at %d, the implementation at %d",
					s.Number,
					j.Artifact.Feature,
					tests,
					i,
				)
			}
		}
	}
}

func TestPlanIsTheSameForTheSame(t *testing.T) {
	one := New(head, base, "", generated(30), 5)
	if d := cmp.Diff(one.Matrix(), New(head, base, "", generated(30), 5).Matrix()); d != "" {
		t.Error(d)
	}
	other := generated(30)
	other[7].Digest = "sha256:" + strings.Repeat("f", 64)
	digests := map[string]string{"": one.Digest}
	for name, p := range map[string]Plan{
		"head": New(base, base, "", generated(30), 5), "base": New(head, head, "", generated(30), 5),
		"evidence": New(head, base, "sha256:1", generated(30), 5),
		"shards":   New(head, base, "", generated(30), 6), "request": New(head, base, "", other, 5),
		"artifacts": New(head, base, "", generated(27), 5),
	} {
		for n, d := range digests {
			if d == p.Digest {
				t.Errorf("another %s has the digest of another %q", name, n)
			}
		}
		digests[name] = p.Digest
	}
}

func TestMatrix(t *testing.T) {
	recorded := asking(workflow.Spec, "known", 10)
	recorded.Kind = review.Recorded
	if m := New(head, base, "", []review.Job{recorded}, 5).Matrix(); m != "" {
		t.Errorf("the matrix of nothing is %q", m)
	}
	jobs := []review.Job{
		recorded, asking(workflow.Spec, "login", 100), asking(workflow.Spec, "${{ secrets.X }}\n`id`", 100_000),
		asking(workflow.Tests, "login", 200), asking(workflow.Implementation, "login", 300),
	}
	want := `{"include":[{"shard":"1","name":"spec ___ secrets.X ____id_","reviews":1},` +
		`{"shard":"2","name":"spec login, tests login, implementation login","reviews":3}]}`
	if got := New(head, base, "", jobs, 2).Matrix(); got != want {
		t.Errorf("matrix\n%s, want\n%s", got, want)
	}
	long := []review.Job{asking(workflow.Spec, strings.Repeat("x", 300), 1), asking(workflow.Spec, "y", 1)}
	if name := New(head, base, "", long, 1).Shards[0].Name(); len(name) > maxName ||
		!strings.HasSuffix(name, "and 1 more") && !strings.HasSuffix(name, ", spec y") {
		t.Errorf("name %q", name)
	}
	var m struct{ Include []map[string]any }
	all := New(head, base, "", generated(3000), 256).Matrix()
	if err := json.Unmarshal([]byte(all), &m); err != nil || len(m.Include) != 256 || len(all) > 100_000 {
		t.Errorf("%d shards in %d bytes, %v", len(m.Include), len(all), err)
	}
}

func TestBudget(t *testing.T) {
	p := New(head, base, "", generated(300), 20)
	var sum int64
	for _, s := range p.Shards {
		sum += p.Budget(s.Number, 1_000_000)
	}
	if sum > 1_000_000 || sum < 999_900 {
		t.Errorf("the shards may use %d of 1,000,000 tokens", sum)
	}
	if p.Budget(1, 0) != 0 {
		t.Error("no budget became one")
	}
	if p.Budget(1, 1) < 1 {
		t.Error("a budget became none")
	}
}
