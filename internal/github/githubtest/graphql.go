package githubtest

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
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
	case "resolveReviewThread", "minimizeComment":
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
	return ok(object{"data": nil, "errors": []any{object{"type": kind, "message": fmt.Sprintf(format, args...)}}})
}

// GraphFault is an error that GraphQL answers with status 200, of a type such
// as FORBIDDEN or RATE_LIMITED.
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
		return graphError("NOT_FOUND", "Could not resolve to a Repository with the name '%s'.", in.Branch.RepositoryNameWithOwner)
	}
	branch := strings.TrimPrefix(in.Branch.BranchName, "refs/heads/")
	tip := s.opts.Git.resolve("refs/heads/" + branch)
	switch {
	case tip == "":
		return graphError("NOT_FOUND", "No ref found with the name refs/heads/%s", branch)
	case tip != in.ExpectedHeadOid:
		return graphError("STALE_DATA", "Expected branch to point to %q but it did not. Pull and try again.", in.ExpectedHeadOid)
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
	sha, err := s.opts.Git.commit(tip, in.Message.Headline+"\n\n"+in.Message.Body, changes, s.identity())
	if err != nil {
		return graphError("UNPROCESSABLE", "%v", err)
	}
	s.opts.Git.Git("update-ref", "refs/heads/"+branch, sha, tip)
	s.verified[sha] = true
	s.follow()
	return ok(object{"data": object{"createCommitOnBranch": object{"commit": object{"oid": sha}}}})
}

// identity makes the token's login the author, and GitHub the committer.
func (s *Server) identity() []string {
	return []string{
		"GIT_AUTHOR_NAME=" + s.self(), "GIT_AUTHOR_EMAIL=41898282+" + s.self() + "@users.noreply.github.com",
		"GIT_COMMITTER_NAME=GitHub", "GIT_COMMITTER_EMAIL=noreply@github.com",
	}
}
