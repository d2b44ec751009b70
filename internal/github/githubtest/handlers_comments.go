package githubtest

import (
	"net/http"
	"slices"
	"unicode/utf8"
)

// maxBody is the longest comment, in characters.
const maxBody = 65_536

func (s *Server) listComments(r *request) reply {
	number := int(r.number("issue_number"))
	all := []any{}
	for _, c := range s.comments {
		if c.Number == number {
			all = append(all, c.object())
		}
	}
	some, h := page(s, r, all)
	return reply{http.StatusOK, some, h}
}

func (s *Server) createComment(r *request) reply {
	number := int(r.number("issue_number"))
	if s.pulls[number] == nil {
		return refuse(http.StatusNotFound, "Not Found")
	}
	body, refused := commentBody(r)
	if refused != nil {
		return *refused
	}
	c := &Comment{ID: s.id(), Number: number, Author: s.self(), Body: body}
	s.comments = append(s.comments, c)
	return created(c.object())
}

func (s *Server) updateComment(r *request) reply {
	c := s.comment(r)
	if c == nil {
		return refuse(http.StatusNotFound, "Not Found")
	}
	return s.edit(r, c.ID, c.Author, &c.Body, &c.Edits, c.object)
}

// edit sets a comment's text. That it is another's fails the test.
func (s *Server) edit(
	r *request,
	id int64,
	author string,
	text *string,
	edits *int,
	now func() object,
) reply {
	if author != s.self() {
		s.t.Errorf("the comment %d of %s was to be edited", id, author)
	}
	body, refused := commentBody(r)
	if refused != nil {
		return *refused
	}
	*text = body
	*edits++
	return ok(now())
}

func commentBody(r *request) (string, *reply) {
	var b struct {
		Body string `json:"body"`
	}
	r.decode(&b)
	if n := utf8.RuneCountInString(b.Body); n == 0 || n > maxBody {
		refused := invalid("Body is blank or too long (maximum is 65536 characters)")
		return "", &refused
	}
	return b.Body, nil
}

// invalid is a refusal in the long form.
func invalid(message string) reply {
	r := refuse(http.StatusUnprocessableEntity, "Validation Failed")
	body, _ := r.body.(object) // as refuse makes it
	body["errors"] = []any{
		object{
			"resource": "IssueComment",
			"code":     "unprocessable",
			"field":    "data",
			"message":  message,
		},
	}
	return r
}

func (s *Server) comment(r *request) *Comment {
	id := r.number("comment_id")
	i := slices.IndexFunc(s.comments, func(c *Comment) bool { return c.ID == id })
	if i < 0 {
		return nil
	}
	return s.comments[i]
}

func (s *Server) react(r *request) reply {
	c := s.comment(r)
	if c == nil {
		return refuse(http.StatusNotFound, "Not Found")
	}
	var b struct {
		Content string `json:"content"`
	}
	r.decode(&b)
	reaction := Reaction{Comment: c.ID, Content: b.Content}
	body := object{"id": s.id(), "content": b.Content, "user": user(s.self())}
	if slices.Contains(s.reacted, reaction) {
		return ok(body)
	}
	s.reacted = append(s.reacted, reaction)
	return created(body)
}

func (c *Comment) object() object {
	return object{"id": c.ID, "body": c.Body, "user": user(c.Author), "author_association": "NONE"}
}
