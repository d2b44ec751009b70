package github

import (
	"testing"

	gh "github.com/google/go-github/v66/github"
)

// TestPagesThatDoNotEnd: what was read of them may lack what decides.
func TestPagesThatDoNotEnd(t *testing.T) {
	t.Parallel()
	read := 0
	got, err := pages(func(o gh.ListOptions) ([]int, *gh.Response, error) {
		read++
		return []int{read}, &gh.Response{NextPage: o.Page + 1}, nil
	})
	if err == nil || got != nil || read != maxPages {
		t.Errorf("%d pages: %v, %v", read, got, err)
	}
}
