// Package change holds the leaf types that the rest of the program shares: the event that started a
// run, the set of files it changed, and the commits it writes back. It imports nothing but the
// standard library.
package change

// Event describes the event that started a run, read once from the runner's event file and
// completed through the API where the payload lacks a field.
type Event struct {
	// Name is pull_request, pull_request_target, issue_comment, check_run,
	// merge_group, workflow_dispatch, push, or "local".
	Name   string
	Action string // opened, synchronize, labeled, created, … ; empty where the event has none

	Owner         string // repository owner's login
	Repo          string // repository name without owner
	DefaultBranch string

	Title  string // of the pull request, hostile; "" without one
	Body   string // its description, hostile
	Number int    // pull request number, 0 without one
	Base   Ref    // pull_request.base, merge_group.base_*, push.before, or the default branch
	Head   Ref    // the commit under review, and the branch that holds it
	Fork   bool
	// Topic is the branch that names the feature where Head.Branch does not, as in a merge queue.
	Topic  string
	Draft  bool
	Closed bool     // the pull request is merged or closed
	Labels []string // all labels of the pull request
	Label  string   // the label just set, for action labeled
	Rebase bool     // action edited: the pull request has another base now
	Sender string   // login of whoever caused the event
	Bot    bool     // the sender is the account of an App
	Author string   // login of the pull request's author, "" while unknown

	CommentID   int64  // issue_comment: the comment's id
	CommentBody string // issue_comment: its text, hostile
	OnPull      bool   // issue_comment: the issue is a pull request

	Check CheckRun // check_run: the one that was asked for again

	Types []string // workflow_dispatch input "types", split at commas
	Paths []string // workflow_dispatch input "paths", one a line
}

// CheckRun identifies a check run.
type CheckRun struct {
	ID   int64
	Name string // hostile: any App may use any name
	Head string // the commit that it is on
}

// Ref is a commit and the branch that names it.
type Ref struct {
	SHA    string // 40 hexadecimal digits, or empty while unknown
	Branch string // without refs/heads/
	Repo   string // owner/name; of a fork for a fork's head
}

// Short is the beginning of a commit id, for people.
func Short(sha string) string { return sha[:min(len(sha), 10)] }
