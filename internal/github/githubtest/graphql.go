package githubtest

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// serveGraphQL answers viewer, the threads of a pull request, their resolution,
// the hiding of comments, and createCommitOnBranch.
func (s *Server) serveGraphQL(w http.ResponseWriter, r *http.Request, body []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.authorized(r) {
		send(w, refuse(http.StatusUnauthorized, "Bad credentials"))
		return
	}
	var q struct {
		Query     string          `json:"query"`
		Variables json.RawMessage `json:"variables"`
	}
	if err := json.Unmarshal(body, &q); err != nil {
		s.t.Errorf("GraphQL request is not JSON: %v", err)
		send(w, refuse(http.StatusBadRequest, "Problems parsing JSON"))
		return
	}
	field, err := s.checkQuery(q.Query, q.Variables)
	if err != nil {
		s.t.Errorf("GraphQL request violates GitHub's schema: %v\n%s", err, body)
		send(w, graphError("", "%v", err))
		return
	}
	switch field {
	case "viewer":
		send(w, ok(object{"data": object{"viewer": object{"login": s.self()}}}))
	case "repository":
		var v struct {
			Number int
			After  string
		}
		_ = json.Unmarshal(q.Variables, &v) // validated
		send(w, s.listThreads(v.Number, v.After))
	case "resolveReviewThread":
		var v struct{ ID string }
		_ = json.Unmarshal(q.Variables, &v) // validated
		send(w, s.closeThread(field, v.ID))
	case "createCommitOnBranch":
		var v struct{ Input commitInput }
		_ = json.Unmarshal(q.Variables, &v) // validated
		send(w, s.createCommit(v.Input))
	default:
		s.t.Errorf("GitHub got a GraphQL field that it does not serve: %s", field)
		send(w, graphError("NOT_FOUND", "not served"))
	}
}

// checkQuery validates a document and its variables, and names its one field.
func (s *Server) checkQuery(doc string, variables json.RawMessage) (string, error) {
	parsed, errs := gqlparser.LoadQueryWithRules(s.spec.graph, doc, rules.NewDefaultRules())
	if len(errs) > 0 {
		return "", errs
	}
	if len(parsed.Operations) != 1 || len(parsed.Operations[0].SelectionSet) != 1 {
		return "", fmt.Errorf("not one operation with one field")
	}
	op := parsed.Operations[0]
	vars := map[string]any{}
	if len(variables) > 0 {
		if err := json.Unmarshal(variables, &vars); err != nil {
			return "", err
		}
	}
	if _, err := validator.VariableValues(s.spec.graph, op, vars); err != nil {
		return "", err
	}
	field, isField := op.SelectionSet[0].(*ast.Field)
	if !isField {
		return "", fmt.Errorf("not a field")
	}
	return field.Name, nil
}

func graphError(kind, format string, args ...any) reply {
	return ok(
		object{
			"data":   nil,
			"errors": []any{object{"type": kind, "message": fmt.Sprintf(format, args...)}},
		},
	)
}

// GraphFault is an error that GraphQL answers with status 200, of a type such as FORBIDDEN or
// RATE_LIMITED.
func GraphFault(kind, message string) Fault {
	b, _ := json.Marshal(graphError(kind, "%s", message).body) // strings alone
	return Fault{Status: http.StatusOK, Body: string(b)}
}

type commitInput struct {
	Branch struct {
		RepositoryNameWithOwner string
		BranchName              string
	}
	ExpectedHeadOid string
	Message         struct{ Headline, Body string }
	FileChanges     struct {
		Additions []struct{ Path, Contents string }
		Deletions []struct{ Path string }
	}
}

// createCommit makes a commit that counts as signed by GitHub.
func (s *Server) createCommit(in commitInput) reply {
	if s.opts.ReadOnly {
		return graphError("FORBIDDEN", "Resource not accessible by integration")
	}
	if !strings.EqualFold(in.Branch.RepositoryNameWithOwner, s.full()) {
		return graphError(
			"NOT_FOUND",
			"Could not resolve to a Repository with the name '%s'.",
			in.Branch.RepositoryNameWithOwner,
		)
	}
	branch := strings.TrimPrefix(in.Branch.BranchName, "refs/heads/")
	tip := s.opts.Git.Resolve("refs/heads/" + branch)
	switch {
	case tip == "":
		return graphError("NOT_FOUND", "No ref found with the name refs/heads/%s", branch)
	case tip != in.ExpectedHeadOid:
		return graphError(
			"STALE_DATA",
			"Expected branch to point to %q but it did not. Pull and try again.",
			in.ExpectedHeadOid,
		)
	}
	changes := map[string][]byte{}
	for _, a := range in.FileChanges.Additions {
		content, err := base64.StdEncoding.DecodeString(a.Contents)
		if err != nil {
			return graphError("UNPROCESSABLE", "contents of %s are not base64", a.Path)
		}
		changes[a.Path] = append([]byte{}, content...)
	}
	for _, d := range in.FileChanges.Deletions {
		changes[d.Path] = nil
	}
	if gone := s.missing(tip, changes); gone != "" {
		return graphError(
			"UNPROCESSABLE", "a path was requested for deletion which does not exist: %s", gone,
		)
	}
	message := strings.TrimRight(in.Message.Headline+"\n\n"+in.Message.Body, "\n") + "\n"
	ref := "refs/heads/" + branch
	if err := s.opts.Git.commit(ref, tip, message, changes, s.author(),
		"GitHub <noreply@github.com>"); err != nil {
		return graphError("UNPROCESSABLE", "%v", err)
	}
	sha := s.opts.Git.Resolve(ref)
	s.verified[sha] = true
	s.follow()
	return ok(object{"data": object{"createCommitOnBranch": object{"commit": object{"oid": sha}}}})
}

// missing is a path to be deleted that a commit does not have, "" if there is none.
func (s *Server) missing(commit string, changes map[string][]byte) string {
	args := []string{"ls-tree", "-r", "-z", "--name-only", commit, "--"}
	for path, content := range changes {
		if content == nil {
			args = append(args, path)
		}
	}
	asked := args[6:]
	if len(asked) == 0 {
		return ""
	}
	there := strings.Split(s.opts.Git.Git(args...), "\x00")
	for _, path := range asked {
		if !slices.Contains(there, path) {
			return path
		}
	}
	return ""
}

// author is the token's login.
func (s *Server) author() string {
	return fmt.Sprintf("%s <41898282+%[1]s@users.noreply.github.com>", s.self())
}
