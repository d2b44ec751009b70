package githubtest

import (
	"net/http"
	"slices"
	"strings"
)

// handlers maps operations of the description to what serves them.
func handlers() map[string]handler {
	const repo = "/repos/{owner}/{repo}"
	return map[string]handler{
		"GET /user":   (*Server).getUser,
		"GET " + repo: (*Server).getRepo,
		"GET " + repo + "/collaborators/{username}/permission": (*Server).getPermission,

		"GET " + repo + "/commits/{ref}":                           (*Server).getCommit,
		"GET " + repo + "/compare/{basehead}":                      (*Server).compare,
		"GET " + repo + "/contents/{path}":                         (*Server).getContents,
		"GET " + repo + "/git/ref/{ref}":                           (*Server).getRef,
		"GET " + repo + "/pulls":                                   (*Server).listPulls,
		"GET " + repo + "/pulls/{pull_number}":                     (*Server).getPull,
		"POST " + repo + "/check-runs":                             (*Server).createCheck,
		"GET " + repo + "/commits/{ref}/check-runs":                (*Server).listChecks,
		"GET " + repo + "/check-runs/{check_run_id}":               (*Server).getCheck,
		"PATCH " + repo + "/check-runs/{check_run_id}":             (*Server).updateCheck,
		"GET " + repo + "/issues/{issue_number}/comments":          (*Server).listComments,
		"POST " + repo + "/issues/{issue_number}/comments":         (*Server).createComment,
		"PATCH " + repo + "/issues/comments/{comment_id}":          (*Server).updateComment,
		"POST " + repo + "/issues/comments/{comment_id}/reactions": (*Server).react,
		"GET " + repo + "/issues/{issue_number}/labels":            (*Server).listLabels,
		"DELETE " + repo + "/issues/{issue_number}/labels/{name}":  (*Server).removeLabel,
		"GET " + repo + "/pulls/{pull_number}/commits":             (*Server).listPullCommits,
		"GET " + repo + "/pulls/{pull_number}/comments":            (*Server).listReviewComments,
		"PATCH " + repo + "/pulls/comments/{comment_id}":           (*Server).updateReviewComment,
		"POST " + repo + "/pulls/{pull_number}/reviews":            (*Server).createReview,
	}
}

func (s *Server) getUser(*request) reply {
	if s.opts.Login == "" || strings.HasSuffix(s.opts.Login, "[bot]") {
		return refuse(http.StatusForbidden, "Resource not accessible by integration")
	}
	u := user(s.opts.Login)
	u["user_view_type"] = "private"
	return ok(u)
}

func user(login string) object {
	kind := "User"
	if strings.HasSuffix(login, "[bot]") {
		kind = "Bot"
	}
	return object{"login": login, "type": kind}
}

func (s *Server) getRepo(*request) reply { return ok(s.repoObject(s.full())) }

func (s *Server) repoObject(full string) object {
	owner, name, _ := strings.Cut(full, "/")
	return object{
		"full_name": full, "name": name, "owner": user(owner), "default_branch": s.opts.DefaultBranch,
		"clone_url": s.URL + "/" + full + ".git",
	}
}

func (s *Server) getPermission(r *request) reply {
	login := r.params["username"]
	p, known := s.opts.Permissions[login]
	if !known {
		return refuse(http.StatusNotFound, "%s is not a user", login)
	}
	return ok(object{"permission": p, "role_name": p, "user": user(login)})
}

func (s *Server) listLabels(r *request) reply {
	p := s.pulls[int(r.number("issue_number"))]
	if p == nil {
		return refuse(http.StatusNotFound, "Not Found")
	}
	some, h := page(s, r, labelObjects(p.Labels))
	return reply{http.StatusOK, some, h}
}

func labelObjects(labels []string) []any {
	out := []any{}
	for _, l := range labels {
		out = append(out, object{"name": l})
	}
	return out
}

func (s *Server) removeLabel(r *request) reply {
	p := s.pulls[int(r.number("issue_number"))]
	if p == nil || !slices.Contains(p.Labels, r.params["name"]) {
		return refuse(http.StatusNotFound, "Label does not exist")
	}
	p.Labels = slices.DeleteFunc(
		slices.Clone(p.Labels), func(l string) bool { return l == r.params["name"] },
	)
	return ok(labelObjects(p.Labels))
}
