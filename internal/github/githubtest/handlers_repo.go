package githubtest

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
)

func (s *Server) getCommit(r *request) reply {
	sha := s.opts.Git.Resolve(r.params["ref"])
	if sha == "" {
		return refuse(
			http.StatusUnprocessableEntity, "No commit found for SHA: %s", r.params["ref"],
		)
	}
	return ok(s.commitObject(sha))
}

func (s *Server) commitObject(sha string) object {
	f := strings.SplitN(
		s.opts.Git.Git("show", "-s", "--format=%P%x00%an%x00%ae%x00%T%x00%ce%x00%B", sha),
		"\x00", 6,
	)
	parents := []any{}
	for _, p := range strings.Fields(f[0]) {
		parents = append(parents, object{"sha": p})
	}
	author := object{"name": f[1], "email": f[2], "date": "2026-01-31T12:00:00Z"}
	reason := "unsigned"
	if s.verified[sha] {
		reason = "valid"
	}
	out := object{
		"sha": sha, "parents": parents, "author": s.account(f[2]), "committer": s.account(f[4]),
		"commit": object{
			"message": strings.TrimRight(
				f[5], "\n",
			), "author": author, "committer": author, "tree": object{"sha": f[3]},
			"verification": object{"verified": s.verified[sha], "reason": reason},
		},
	}
	return out
}

// account is the user that an e-mail address of a commit belongs to, nil for nobody.
func (s *Server) account(email string) any {
	if login := s.login(email); login != "" {
		return user(login)
	}
	return nil
}

// login is the user of a commit's e-mail address.
func (s *Server) login(email string) string {
	if name, ok := strings.CutSuffix(email, "@users.noreply.github.com"); ok {
		_, name, _ = strings.Cut(name, "+")
		return name
	}
	if email == "noreply@github.com" {
		return "web-flow"
	}
	return s.opts.Logins[email]
}

func (s *Server) compare(r *request) reply {
	base, head, _ := strings.Cut(r.params["basehead"], "...")
	b, h := s.opts.Git.Resolve(base), s.opts.Git.Resolve(head)
	if b == "" || h == "" {
		return refuse(http.StatusNotFound, "Not Found")
	}
	mb, err := s.opts.Git.run(nil, nil, "merge-base", b, h)
	if err != nil {
		return refuse(http.StatusNotFound, "No common ancestor between %s and %s.", base, head)
	}
	ahead, _ := strconv.Atoi(s.opts.Git.Git("rev-list", "--count", mb+".."+h))
	behind, _ := strconv.Atoi(s.opts.Git.Git("rev-list", "--count", mb+".."+b))
	status := map[[2]bool]string{
		{false, false}: "identical",
		{true, false}:  "ahead",
		{false, true}:  "behind",
		{true, true}:   "diverged",
	}
	return ok(object{
		"merge_base_commit": s.commitObject(
			mb,
		), "base_commit": s.commitObject(b), "commits": []any{},
		"status": status[[2]bool{ahead > 0, behind > 0}], "ahead_by": ahead, "behind_by": behind, "total_commits": ahead,
	})
}

func (s *Server) getRef(r *request) reply {
	ref := "refs/" + r.params["ref"]
	sha := s.opts.Git.Resolve(ref)
	if sha == "" {
		return refuse(http.StatusNotFound, "Not Found")
	}
	return ok(object{"ref": ref, "object": object{"sha": sha, "type": "commit"}})
}

func (s *Server) getContents(r *request) reply {
	rev := r.URL.Query().Get("ref")
	rev = cmp.Or(rev, s.opts.DefaultBranch)
	file := r.params["path"]
	content, err := s.opts.Git.run(nil, nil, "cat-file", "blob", rev+":"+file)
	if err != nil {
		return refuse(http.StatusNotFound, "Not Found")
	}
	return ok(object{
		"type": "file", "name": path.Base(file), "path": file, "size": len(content), "encoding": "base64",
		"sha": s.opts.Git.Git(
			"rev-parse", rev+":"+file,
		), "content": base64.StdEncoding.EncodeToString([]byte(content)),
	})
}

var hunkHead = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

// anchored reports whether all lines of a comment lie in one hunk of the diff
// that the pull request shows at the comment's commit.
func (s *Server) anchored(p *PR, d draft) bool {
	base := s.opts.Git.Resolve("refs/heads/" + p.Base)
	diff, err := s.opts.Git.run(
		nil, nil, "diff", "--no-color", "--no-ext-diff", base+"..."+d.CommitID, "--", d.Path,
	)
	if err != nil || d.Line < 1 {
		return false
	}
	start := d.StartLine
	start = cmp.Or(start, d.Line)
	for line := range strings.SplitSeq(diff, "\n") {
		m := hunkHead.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		from, n := m[3], m[4]
		if d.Side == "LEFT" {
			from, n = m[1], m[2]
		}
		first, count := atoi(from), 1
		if n != "" {
			count = atoi(n)
		}
		if start >= first && start <= d.Line && d.Line < first+count {
			return true
		}
	}
	return false
}

func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(fmt.Sprintf("number %q of a diff: %v", s, err))
	}
	return n
}
