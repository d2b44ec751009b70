package githubtest

import "net/http"

// PR is a pull request. Its base and head commits are those of its branches
// at the time of each question; a fork's head is refs/pull/N/head.
type PR struct {
	Number int
	Title  string
	Author string // "octocat" if empty
	Base   string // branch; the default branch if empty
	Head   string // branch, of the fork if Fork is set
	Fork   string // owner/name of the fork, "" for a branch of the same repository
	SHA    string // the fork's head commit, which the repository holds already
	Draft  bool
	Closed bool
	Labels []string
}

// Check is a check run.
type Check struct {
	ID          int64
	Name        string
	HeadSHA     string
	Status      string
	Conclusion  string
	ExternalID  string
	StartedAt   string
	CompletedAt string
	Title       string
	Summary     string
	Text        string
	App         string // slug; github-actions if empty
	Annotations []Annotation
	Batches     []int // how many annotations came with each request that had any
}

// Annotation is an annotation of a check run.
type Annotation struct {
	Path      string `json:"path"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
	Level     string `json:"annotation_level"`
	Title     string `json:"title"`
	Message   string `json:"message"`
}

// Comment is a comment on a pull request.
type Comment struct {
	ID     int64
	Number int
	Author string
	Body   string
	Edits  int // how often it was updated
}

// ReviewComment is a comment on lines of a pull request's diff.
type ReviewComment struct {
	ID        int64
	Number    int
	Review    int64 // comments of one review share it
	Author    string
	CommitID  string
	Path      string
	Line      int
	StartLine int
	Side      string
	Body      string
	Edits     int // how often it was updated

	// Resolved is its thread's state.
	Resolved bool
}

// Reaction is a reaction to a comment.
type Reaction struct {
	Comment int64
	Content string
}

// Request is a request that arrived.
type Request struct {
	Method string
	Path   string // without the API's prefix
	Query  string
	Header http.Header
	Body   []byte
	Status int // of the answer; 0 if there was none
}
