package githubtest

import (
	"cmp"
	"net/http"
	"slices"
	"unicode/utf8"
)

// checkBody is what creating and updating a check run have in common.
type checkBody struct {
	Name        string  `json:"name"`
	HeadSHA     string  `json:"head_sha"`
	Status      string  `json:"status"`
	Conclusion  string  `json:"conclusion"`
	ExternalID  *string `json:"external_id"`
	StartedAt   string  `json:"started_at"`
	CompletedAt string  `json:"completed_at"`
	Output      *struct {
		Title       string       `json:"title"`
		Summary     string       `json:"summary"`
		Text        *string      `json:"text"`
		Annotations []Annotation `json:"annotations"`
	} `json:"output"`
}

func (s *Server) createCheck(r *request) reply {
	var b checkBody
	r.decode(&b)
	if s.opts.Git.Resolve(b.HeadSHA) == "" {
		return refuse(http.StatusUnprocessableEntity, "No commit found for SHA: %s", b.HeadSHA)
	}
	c := &Check{ID: s.id(), Name: b.Name, HeadSHA: b.HeadSHA, Status: "queued"}
	if refused := c.apply(b); refused != nil {
		return *refused
	}
	s.checks = append(s.checks, c)
	return created(c.object())
}

func (s *Server) updateCheck(r *request) reply {
	c := s.check(r)
	if c == nil {
		return refuse(http.StatusNotFound, "Not Found")
	}
	var b checkBody
	r.decode(&b)
	if refused := c.apply(b); refused != nil {
		return *refused
	}
	return ok(c.object())
}

// apply changes the check run as a request says; annotations are appended.
func (c *Check) apply(b checkBody) *reply {
	c.Name = cmp.Or(b.Name, c.Name)
	c.Status = cmp.Or(b.Status, c.Status)
	c.StartedAt = cmp.Or(b.StartedAt, c.StartedAt)
	c.CompletedAt = cmp.Or(b.CompletedAt, c.CompletedAt)
	if b.Conclusion != "" {
		c.Status, c.Conclusion = "completed", b.Conclusion
	}
	if b.ExternalID != nil {
		c.ExternalID = *b.ExternalID
	}
	if b.Output == nil {
		return nil
	}
	for _, a := range b.Output.Annotations {
		if utf8.RuneCountInString(a.Title) > 255 || len(a.Message) > 64<<10 || a.StartLine < 1 ||
			a.EndLine < a.StartLine ||
			a.Path == "" {
			r := refuse(http.StatusUnprocessableEntity, "Invalid annotation")
			return &r
		}
	}
	c.Title, c.Summary = b.Output.Title, b.Output.Summary
	if b.Output.Text != nil {
		c.Text = *b.Output.Text
	}
	if n := len(b.Output.Annotations); n > 0 {
		c.Annotations, c.Batches = append(
			c.Annotations,
			b.Output.Annotations...), append(
			c.Batches,
			n,
		)
	}
	return nil
}

func (s *Server) check(r *request) *Check {
	id := r.number("check_run_id")
	i := slices.IndexFunc(s.checks, func(c *Check) bool { return c.ID == id })
	if i < 0 {
		return nil
	}
	return s.checks[i]
}

func (s *Server) getCheck(r *request) reply {
	if c := s.check(r); c != nil {
		return ok(c.object())
	}
	return refuse(http.StatusNotFound, "Not Found")
}

// listChecks lists a commit's check runs: of each name the latest, unless all are asked for.
func (s *Server) listChecks(r *request) reply {
	q, sha := r.URL.Query(), s.opts.Git.Resolve(r.params["ref"])
	var found []*Check
	for _, c := range s.checks {
		if c.HeadSHA != sha || q.Get("check_name") != "" && q.Get("check_name") != c.Name {
			continue
		}
		if q.Get("filter") != "all" {
			found = slices.DeleteFunc(found, func(o *Check) bool { return o.Name == c.Name })
		}
		found = append(found, c)
	}
	all := []any{}
	for _, c := range found {
		if byName, hidden := s.hidden[c.ID]; !hidden || byName && q.Get("check_name") == "" {
			all = append(all, c.object())
		}
	}
	some, h := page(s, r, all)
	return reply{http.StatusOK, object{"total_count": len(found), "check_runs": some}, h}
}

// DeletedApp made check runs, and is no more: GitHub names no App for them.
const DeletedApp = "deleted"

func (c *Check) object() object {
	app := any(nil)
	if c.App != DeletedApp {
		slug := cmp.Or(c.App, "github-actions")
		app = object{"slug": slug, "id": 15368, "name": "GitHub Actions"}
	}
	return object{
		"id": c.ID, "name": c.Name, "head_sha": c.HeadSHA, "status": c.Status, "conclusion": orNull(c.Conclusion),
		"external_id": orNull(
			c.ExternalID,
		), "started_at": orNull(c.StartedAt), "completed_at": orNull(c.CompletedAt),
		"output": object{
			"title": orNull(c.Title), "summary": orNull(c.Summary), "text": orNull(c.Text),
			"annotations_count": len(c.Annotations),
		},
		"app": app,
	}
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}
