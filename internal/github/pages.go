package github

import (
	"fmt"

	gh "github.com/google/go-github/v66/github"
)

// maxPages bounds every listing: 100 entries a page.
const maxPages = 100

// pages reads a listing to its end. One that goes on behind maxPages is an error: what stands there
// may be what decides.
func pages[T any](list func(gh.ListOptions) ([]T, *gh.Response, error)) ([]T, error) {
	var all []T
	o := gh.ListOptions{PerPage: 100}
	for range maxPages {
		some, resp, err := list(o)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
		if resp.NextPage == 0 {
			return all, nil
		}
		o.Page = resp.NextPage
	}
	return nil, fmt.Errorf("more than %d entries are listed", maxPages*o.PerPage)
}
