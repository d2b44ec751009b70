package github

import (
	"encoding/json"
	"fmt"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/lazyregexp"
)

// eventPayload is the part of all webhook payloads that the product reads.
type eventPayload struct {
	Action      string        `json:"action"`
	Number      int           `json:"number"`
	PullRequest *pullPayload  `json:"pull_request"`
	MergeGroup  *groupPayload `json:"merge_group"`
	Issue       *issuePayload `json:"issue"`
	Comment     *noted        `json:"comment"`
	CheckRun    *checkPayload `json:"check_run"`
	Label       *named        `json:"label"`
	Changes     struct {
		Base *struct{} `json:"base"`
	} `json:"changes"`
	Repository *repoPayload   `json:"repository"`
	Sender     *userPayload   `json:"sender"`
	Inputs     map[string]any `json:"inputs"`
	Ref        string         `json:"ref"`
	Before     string         `json:"before"`
	After      string         `json:"after"`
	Deleted    bool           `json:"deleted"`
}

// pullPayload declares the fields of a pull request that are read.
type pullPayload struct {
	Number int         `json:"number"`
	Title  string      `json:"title"`
	User   userPayload `json:"user"`
	Body   string      `json:"body"`
	Draft  bool        `json:"draft"`
	State  string      `json:"state"`
	Labels []named     `json:"labels"`
	Base   side        `json:"base"`
	Head   side        `json:"head"`
}

// side is one end of a pull request. Repo is null for a deleted fork, which is not the same as
// absent.
type side struct {
	Branch string          `json:"ref"`
	SHA    string          `json:"sha"`
	Repo   json.RawMessage `json:"repo"`
}

// groupPayload declares the fields of a merge group that are read. Refs are whole: refs/heads/….
type groupPayload struct {
	BaseSHA string `json:"base_sha"`
	BaseRef string `json:"base_ref"`
	HeadSHA string `json:"head_sha"`
	HeadRef string `json:"head_ref"`
}

// issuePayload declares the fields of an issue that are read. PullRequest is nil where it is none.
type issuePayload struct {
	Number      int             `json:"number"`
	Draft       bool            `json:"draft"`
	Labels      []named         `json:"labels"`
	PullRequest *map[string]any `json:"pull_request"`
}

// checkPayload declares the fields of a check run that are read.
type checkPayload struct {
	ID           int64  `json:"id"`
	Name         string `json:"name"`
	HeadSHA      string `json:"head_sha"`
	PullRequests []struct {
		Number int  `json:"number"`
		Head   side `json:"head"`
	} `json:"pull_requests"`
}

// noted declares the fields of a comment that are read.
type noted struct {
	ID   int64  `json:"id"`
	Body string `json:"body"`
}

type named struct {
	Name string `json:"name"`
}

// repoPayload declares the fields of a repository that are read.
type repoPayload struct {
	FullName      string `json:"full_name"`
	DefaultBranch string `json:"default_branch"`
}

// userPayload declares the fields of an account that are read. Type is "Bot" for Apps.
type userPayload struct {
	Login string `json:"login"`
	Type  string `json:"type"`
}

// ref checks one end and tells whether it lies in another repository than own.
func (s *side) ref(field, own string) (r change.Ref, foreign bool, err error) {
	if !validSHA(s.SHA) {
		return r, false, malformed(field+".sha", s.SHA, "40 hexadecimal digits")
	}
	if !validBranch(s.Branch) {
		return r, false, malformed(field+".ref", s.Branch, "a branch name")
	}
	r = change.Ref{SHA: s.SHA, Branch: s.Branch, Repo: own}
	if len(s.Repo) == 0 {
		return r, false, nil
	}
	var repo *repoPayload
	if err := json.Unmarshal(s.Repo, &repo); err != nil {
		return r, false, fmt.Errorf("%s.repo: %w", field, err)
	}
	if repo == nil { // a deleted fork
		r.Repo = ""
		return r, true, nil
	}
	if _, _, ok := splitRepo(repo.FullName); !ok {
		return r, false, malformed(field+".repo.full_name", repo.FullName, "owner/name")
	}
	r.Repo = repo.FullName
	return r, !strings.EqualFold(r.Repo, own), nil
}

// named is one end of which only the branch is known.
func (s *side) named(field, own string) (change.Ref, error) {
	if !validBranch(s.Branch) {
		return change.Ref{}, malformed(field+".ref", s.Branch, "a branch name")
	}
	return change.Ref{Branch: s.Branch, Repo: own}, nil
}

// malformed is the error of a field of an event: missing, or not of the form that is wanted.
func malformed(field, value, want string) error {
	if value == "" {
		return fmt.Errorf("%s is missing", field)
	}
	return fmt.Errorf("%s is %s, not %s", field, oneLine(fmt.Sprintf("%q", value), 120), want)
}

func branchOf(ref string) string { return strings.TrimPrefix(ref, "refs/heads/") }

// validSHA reports whether a text is a whole commit id in lower case, and not the one of zeros that
// stands for none.
func validSHA(s string) bool {
	if len(s) != 40 {
		return false
	}
	for i := range len(s) {
		if !strings.ContainsRune("0123456789abcdef", rune(s[i])) {
			return false
		}
	}
	return !zeroSHA(s)
}

func zeroSHA(s string) bool { return s == strings.Repeat("0", 40) }

var (
	nameRE      = lazyregexp.New(`^[A-Za-z0-9._-]{1,100}$`)
	loginRE     = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_-]{0,99}(\[bot\])?$`)
	badBranchRE = lazyregexp.New(`[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|^[-/.]|/\.|[/.]$|\.lock(/|$)`)
)

// splitRepo splits owner/name.
func splitRepo(full string) (owner, name string, ok bool) {
	owner, name, ok = strings.Cut(full, "/")
	ok = ok && nameRE.MatchString(owner) && nameRE.MatchString(name) && strings.Trim(owner, ".") != "" && strings.Trim(name, ".") != ""
	return owner, name, ok
}

// validBranch follows git check-ref-format, with a length that fits a file name.
func validBranch(s string) bool {
	return s != "" && s != "@" && len(s) <= 255 && !badBranchRE.MatchString(s)
}
