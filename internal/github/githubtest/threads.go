package githubtest

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Every comment of the fake begins a thread of its own. Node ids are PRRT_ and PRRC_ with the
// comment's number.

// threadPage is how many threads a page holds; GitHub's is a hundred at most.
const threadPage = 100

func (s *Server) listThreads(number int, after string) reply {
	if s.pulls[number] == nil {
		return graphError(
			"NOT_FOUND", "Could not resolve to a PullRequest with the number of %d.", number,
		)
	}
	var all []*ReviewComment
	for _, c := range s.inline {
		if c.Number == number {
			all = append(all, c)
		}
	}
	from, _ := strconv.Atoi(after)
	from = min(from, len(all))
	to := min(from+threadPage, len(all))
	nodes := []any{}
	for _, c := range all[from:to] {
		kind := "User"
		if strings.HasSuffix(c.Author, "[bot]") {
			kind = "Bot"
		}
		comment := object{
			"id": fmt.Sprint("PRRC_", c.ID), "databaseId": c.ID, "body": c.Body,
			"author": object{"__typename": kind, "login": strings.TrimSuffix(c.Author, "[bot]")},
		}
		nodes = append(nodes, object{
			"id": fmt.Sprint("PRRT_", c.ID), "isResolved": c.Resolved,
			"comments": object{"nodes": []any{comment}},
		})
	}
	threads := object{
		"nodes":    nodes,
		"pageInfo": object{"hasNextPage": to < len(all), "endCursor": strconv.Itoa(to)},
	}
	return ok(
		object{
			"data": object{"repository": object{"pullRequest": object{"reviewThreads": threads}}},
		},
	)
}

// closeThread resolves a thread. That it is another's fails the test.
func (s *Server) closeThread(field, id string) reply {
	i := slices.IndexFunc(
		s.inline, func(c *ReviewComment) bool { return fmt.Sprint("PRRT_", c.ID) == id },
	)
	switch {
	case s.opts.ReadOnly || slices.Contains(s.opts.Denied, field):
		return graphError("FORBIDDEN", "Resource not accessible by integration")
	case i < 0:
		return graphError("NOT_FOUND", "Could not resolve to a node with the global id of '%s'", id)
	}
	c := s.inline[i]
	if c.Author != s.self() {
		s.t.Errorf("the thread of comment %d of %s was to be closed", c.ID, c.Author)
	}
	c.Resolved = true
	return ok(object{"data": object{field: object{"thread": object{"isResolved": true}}}})
}

func (s *Server) updateReviewComment(r *request) reply {
	id := r.number("comment_id")
	i := slices.IndexFunc(s.inline, func(c *ReviewComment) bool { return c.ID == id })
	if i < 0 {
		return refuse(http.StatusNotFound, "Not Found")
	}
	c := s.inline[i]
	return s.edit(r, c.ID, c.Author, &c.Body, &c.Edits, c.object)
}
