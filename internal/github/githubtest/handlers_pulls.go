package githubtest

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// AddPull opens a pull request. Its head's branch (or, of a fork, its commit)
// exists in the repository already; refs/pull/N/head follows it.
func (s *Server) AddPull(p PR) {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	p.Base = cmp.Or(p.Base, s.opts.DefaultBranch)
	p.Author, p.Title = cmp.Or(p.Author, "octocat"), cmp.Or(p.Title, "A change")
	s.pulls[p.Number] = &p
	if p.Fork != "" {
		s.opts.Git.point(fmt.Sprintf("refs/pull/%d/head", p.Number), p.SHA)
	}
	s.follow()
	if s.headSHA(&p) == "" || s.opts.Git.Resolve("refs/heads/"+p.Base) == "" {
		s.t.Fatalf(
			"AddPull(%d): the repository lacks its base %q or head %q", p.Number, p.Base, p.Head,
		)
	}
}

// follow moves refs/pull/N/head to the branches' tips.
func (s *Server) follow() {
	for n, p := range s.pulls {
		sha := s.opts.Git.Resolve("refs/heads/" + p.Head)
		ref := fmt.Sprintf("refs/pull/%d/head", n)
		if p.Fork == "" && sha != "" && s.opts.Git.Resolve(ref) != sha {
			s.opts.Git.point(ref, sha)
		}
	}
}

func (s *Server) headSHA(p *PR) string {
	if p.Fork == "" {
		return s.opts.Git.Resolve("refs/heads/" + p.Head)
	}
	return s.opts.Git.Resolve(fmt.Sprintf("refs/pull/%d/head", p.Number))
}

// Head is the commit id of a pull request's head.
func (s *Server) Head(number int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.headSHA(s.pulls[number])
}

func (s *Server) getPull(r *request) reply {
	p := s.pulls[int(r.number("pull_number"))]
	if p == nil {
		return refuse(http.StatusNotFound, "Not Found")
	}
	return ok(s.pullObject(p))
}

// listPulls lists pull requests by state, the newest first.
func (s *Server) listPulls(r *request) reply {
	state := cmp.Or(r.URL.Query().Get("state"), "open")
	all := []any{}
	for _, n := range slices.Backward(slices.Sorted(maps.Keys(s.pulls))) {
		p := s.pulls[n]
		if o := s.pullObject(p); state == "all" || o["state"] == state {
			all = append(all, o)
		}
	}
	some, h := page(s, r, all)
	return reply{http.StatusOK, some, h}
}

// listPullCommits lists what a pull request's head has and its base has not, the oldest first.
func (s *Server) listPullCommits(r *request) reply {
	p := s.pulls[int(r.number("pull_number"))]
	if p == nil {
		return refuse(http.StatusNotFound, "Not Found")
	}
	all := []any{}
	ids := s.opts.Git.Git("rev-list", "--reverse", "refs/heads/"+p.Base+".."+s.headSHA(p))
	for id := range strings.FieldsSeq(ids) {
		all = append(all, object{"sha": id})
	}
	some, h := page(s, r, all)
	return reply{http.StatusOK, some, h}
}

func (s *Server) pullObject(p *PR) object {
	return object{
		"number": p.Number, "title": p.Title, "draft": p.Draft, "state": map[bool]string{false: "open", true: "closed"}[p.Closed],
		"user": user(p.Author),
		"labels": labelObjects(
			p.Labels,
		), "base": s.sideObject(s.full(), p.Base, s.opts.Git.Resolve("refs/heads/"+p.Base)),
		"head": s.sideObject(cmp.Or(p.Fork, s.full()), p.Head, s.headSHA(p)),
	}
}

func (s *Server) sideObject(full, branch, sha string) object {
	owner, _, _ := strings.Cut(full, "/")
	return object{
		"ref":   branch,
		"sha":   sha,
		"label": owner + ":" + branch,
		"user":  user(owner),
		"repo":  s.repoObject(full),
	}
}

// draft is a comment of a review that is to be posted.
type draft struct {
	Path      string `json:"path"`
	Line      int    `json:"line"`
	StartLine int    `json:"start_line"`
	Side      string `json:"side"`
	StartSide string `json:"start_side"`
	Body      string `json:"body"`
	CommitID  string `json:"commit_id"`
}

func (s *Server) createReview(r *request) reply {
	p := s.pulls[int(r.number("pull_number"))]
	if p == nil {
		return refuse(http.StatusNotFound, "Not Found")
	}
	var b struct {
		CommitID string  `json:"commit_id"`
		Event    string  `json:"event"`
		Comments []draft `json:"comments"`
	}
	r.decode(&b)
	if b.Event != "COMMENT" || b.CommitID == "" {
		s.t.Errorf(
			"review of %d: event %q on commit %q; only COMMENT on a pinned commit is harmless",
			p.Number,
			b.Event,
			b.CommitID,
		)
	}
	for _, d := range b.Comments {
		d.CommitID = b.CommitID
		if !s.anchored(p, d) {
			refused := refuse(http.StatusUnprocessableEntity, "Unprocessable Entity")
			body, _ := refused.body.(object) // as refuse makes it
			body["errors"] = []any{"Line could not be resolved"}
			return refused
		}
	}
	review := s.id()
	for _, d := range b.Comments {
		d.CommitID = b.CommitID
		s.addInline(p, review, d)
	}
	return ok(
		object{"id": review, "user": user(s.self()), "state": "COMMENTED", "commit_id": b.CommitID},
	)
}

func (s *Server) addInline(p *PR, review int64, d draft) *ReviewComment {
	c := &ReviewComment{
		ID: s.id(), Number: p.Number, Review: review, Author: s.self(), CommitID: d.CommitID,
		Path: d.Path, Line: d.Line, StartLine: d.StartLine, Side: cmp.Or(d.Side,
			"RIGHT"), Body: d.Body,
	}
	s.inline = append(s.inline, c)
	return c
}

func (s *Server) listReviewComments(r *request) reply {
	number := int(r.number("pull_number"))
	all := []any{}
	for _, c := range s.inline {
		if c.Number == number {
			all = append(all, c.object())
		}
	}
	some, h := page(s, r, all)
	return reply{http.StatusOK, some, h}
}

func (c *ReviewComment) object() object {
	return object{
		"id": c.ID, "user": user(c.Author), "path": c.Path, "line": c.Line, "side": c.Side, "body": c.Body,
		"commit_id": c.CommitID, "original_commit_id": c.CommitID, "pull_request_review_id": c.Review,
	}
}
