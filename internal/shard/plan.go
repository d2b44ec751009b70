// Package shard spreads reviews over the jobs of a workflow's matrix, and hands what came back from
// one job to the other: as a file that is bound to the plan and believed in nothing that can be
// checked.
package shard

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/workflow"
)

// Shard is the part of a plan that one job of the matrix does.
type Shard struct {
	Number int          // from 1
	Jobs   []review.Job // that ask a model, in the plan's order; tests before their implementation
	Tokens int64        // estimated, of all of them
}

// Plan assigns reviews to shards. The same jobs always make the same plan.
type Plan struct {
	Head, Base string // commit and merge base
	Evidence   string // digest of what prove wrote, "" without it
	Digest     string // of all that decides what the shards are asked
	Shards     []Shard
}

// overhead is the cost of a review beyond its request, in tokens: looking around and the answer.
const overhead = 3000

// estimate predicts the cost of a review, in tokens: four characters of English or code are about
// one.
func estimate(j review.Job) int64 { return int64(j.Size)/4 + overhead }

// New plans jobs that ask a model, on the strength of evidence; others need no shard. most is the
// most shards of the plan, at least 1.
func New(head, base, evidence string, jobs []review.Job, most int) Plan {
	p := Plan{Head: head, Base: base, Evidence: evidence}
	groups := together(jobs)
	p.Shards = make([]Shard, min(len(groups), most))
	for i := range p.Shards {
		p.Shards[i].Number = i + 1
	}
	for _, g := range groups { // the largest first, each to the shard with the least
		s := slices.MinFunc(p.Shards, func(a, b Shard) int {
			return cmp.Or(cmp.Compare(a.Tokens, b.Tokens), a.Number-b.Number)
		})
		s.Jobs, s.Tokens = append(s.Jobs, g.Jobs...), s.Tokens+g.Tokens
		p.Shards[s.Number-1] = s
	}
	order := map[string]int{}
	for i, j := range jobs {
		order[j.Artifact.Name()] = i
	}
	for _, s := range p.Shards {
		slices.SortFunc(s.Jobs, func(a, b review.Job) int {
			return order[a.Artifact.Name()] - order[b.Artifact.Name()]
		})
	}
	p.Digest = p.digest(most)
	return p
}

// together groups jobs that one shard must do, the largest group first: an
// implementation is measured by the review of its tests.
func together(jobs []review.Job) []Shard {
	var groups []Shard
	of := map[string]int{}
	for _, j := range jobs {
		if j.Kind != review.Asks {
			continue
		}
		key := j.Artifact.Name()
		if j.Artifact.Type == workflow.Implementation {
			key = workflow.Artifact{Type: workflow.Tests, Feature: j.Artifact.Feature}.Name()
		}
		i, known := of[key]
		if !known {
			i = len(groups)
			of[key], groups = i, append(groups, Shard{})
		}
		groups[i].Jobs, groups[i].Tokens = append(groups[i].Jobs, j), groups[i].Tokens+estimate(j)
	}
	slices.SortStableFunc(groups, func(a, b Shard) int { return cmp.Compare(b.Tokens, a.Tokens) })
	return groups
}

// digest names all that the shards are to ask: head, base, evidence, the most shards, and each
// job's files and request. Two plans of the same digest hand over results that fit each other.
func (p Plan) digest(most int) string {
	type asked struct {
		Shard   int
		Name    string
		Files   []workflow.File
		Request string
	}
	all := []any{"workflow-reviewer/plan@1", p.Head, p.Base, p.Evidence, most}
	for _, s := range p.Shards {
		for _, j := range s.Jobs {
			all = append(all, asked{s.Number, j.Artifact.Name(), j.Artifact.Files, j.Digest})
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic(fmt.Sprintf("encode the plan: %v", err)) // texts and numbers always encode
	}
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Reviews counts the reviews of all shards.
func (p Plan) Reviews() int {
	n := 0
	for _, s := range p.Shards {
		n += len(s.Jobs)
	}
	return n
}

// Budget is the part of a run's token budget that a shard may use: by its share
// of the estimate, at least 1. 0 is no budget.
func (p Plan) Budget(number int, whole int64) int64 {
	var all, own int64
	for _, s := range p.Shards {
		all += s.Tokens
		if s.Number == number {
			own = s.Tokens
		}
	}
	if whole == 0 || all == 0 {
		return whole
	}
	return max(int64(float64(whole)*(float64(own)/float64(all))), 1)
}

// Matrix is the plan for strategy.matrix, "" for one without shards.
func (p Plan) Matrix() string {
	type job struct {
		Shard   string `json:"shard"`
		Name    string `json:"name"`
		Reviews int    `json:"reviews"`
	}
	var m struct {
		Include []job `json:"include"`
	}
	for _, s := range p.Shards {
		m.Include = append(m.Include, job{fmt.Sprint(s.Number), s.Name(), len(s.Jobs)})
	}
	if m.Include == nil {
		return ""
	}
	out, err := json.Marshal(m)
	if err != nil {
		panic(fmt.Sprintf("encode the matrix: %v", err)) // as above
	}
	return string(out)
}

// maxName bounds the name of a shard, in bytes.
const maxName = 80

// Name says which reviews a shard does, for people. What a branch's paths may hold beside letters,
// digits and a few marks is replaced: workflows put it into expressions.
func (s Shard) Name() string {
	var out string
	for i, j := range s.Jobs {
		next := strings.Map(tame, string(j.Artifact.Type)+" "+j.Artifact.Feature)
		if i > 0 {
			next = ", " + next
		}
		rest := fmt.Sprintf(" and %d more", len(s.Jobs)-i)
		if len(out)+len(next)+len(rest) > maxName {
			if i > 0 {
				return out + rest
			}
			next = next[:maxName-len(rest)] // ASCII
		}
		out += next
	}
	return out
}

// Has reports whether the shard does the review of an artifact.
func (s Shard) Has(artifact string) bool {
	return slices.ContainsFunc(
		s.Jobs, func(j review.Job) bool { return j.Artifact.Name() == artifact },
	)
}

// tame replaces what does not belong into a name of a shard or file by an underscore.
func tame(r rune) rune {
	const allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ._-/"
	if strings.ContainsRune(allowed, r) {
		return r
	}
	return '_'
}
