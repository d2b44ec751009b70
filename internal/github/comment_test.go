package github_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"workflow-reviewer/internal/github/githubtest"
)

const marker = "<!-- workflow-reviewer -->"

// says writes the same whatever stands there.
func says(body string) func(string) string { return func(string) string { return body } }

func TestStickyComment(t *testing.T) {
	w := start(t, githubtest.Options{})
	w.AddComment(7, "eve", marker+"\nAPPROVED, says Eve")
	for i := range 150 {
		w.AddComment(7, "ann", fmt.Sprintf("talk %d, quoting %s", i, marker))
	}
	for _, body := range []string{"first", marker + "\nsecond", "second"} {
		if err := w.api.UpsertComment(t.Context(), 7, marker, says(body)); err != nil {
			t.Fatal(err)
		}
	}
	w.AddComment(7, "github-actions[bot]", marker+"\na duplicate")
	if err := w.api.UpsertComment(t.Context(), 7, marker, says("third")); err != nil {
		t.Fatal(err)
	}
	all := w.Comments()
	if len(all) != 153 {
		t.Fatalf("%d comments", len(all))
	}
	want := []githubtest.Comment{
		{Number: 7, Author: "github-actions[bot]", Body: marker + "\nthird", Edits: 2},
		{Number: 7, Author: "github-actions[bot]", Body: marker + "\na duplicate"},
	}
	if d := cmp.Diff(want, all[151:], cmpopts.IgnoreFields(githubtest.Comment{}, "ID")); d != "" {
		t.Errorf("our comments (-want +got):\n%s", d)
	}
	if all[0].Body != marker+"\nAPPROVED, says Eve" {
		t.Errorf("a stranger's comment became %q", all[0].Body)
	}
}

func TestCommentIsCut(t *testing.T) {
	w := start(t, githubtest.Options{})
	if err := w.api.UpsertComment(t.Context(), 7, marker, says(strings.Repeat("größer 😀\n", 20_000))); err != nil {
		t.Fatal(err)
	}
	got := w.Comments()[0].Body
	if n := len(got); n > 65_536 || n < 65_000 || !strings.HasPrefix(got, marker) || !strings.Contains(got, "Cut here") {
		t.Errorf("%d bytes, end %q", n, got[len(got)-200:])
	}
}

func TestCommentIsNeverDoubled(t *testing.T) {
	for name, f := range writeFaults() {
		t.Run(name, func(t *testing.T) {
			w := start(t, githubtest.Options{})
			w.Fail(githubtest.Nth("POST", "/comments", 1, f))
			if err := w.api.UpsertComment(t.Context(), 7, marker, says("body")); err != nil {
				t.Fatal(err)
			}
			if n := len(w.Comments()); n != 1 {
				t.Errorf("%d comments", n)
			}
		})
	}
}

func TestCommentUpdateSurvivesFaults(t *testing.T) {
	for name, f := range writeFaults() {
		if strings.HasPrefix(name, "answer") {
			continue // the update took effect; what GitHub says of it is not needed
		}
		t.Run(name, func(t *testing.T) {
			w := start(t, githubtest.Options{})
			if err := w.api.UpsertComment(t.Context(), 7, marker, says("one")); err != nil {
				t.Fatal(err)
			}
			w.Fail(githubtest.Nth("PATCH", "", 1, f))
			if err := w.api.UpsertComment(t.Context(), 7, marker, says("two")); err != nil {
				t.Fatal(err)
			}
			if all := w.Comments(); len(all) != 1 || all[0].Body != marker+"\ntwo" {
				t.Errorf("comments %+v", all)
			}
		})
	}
}

func TestCommentRefused(t *testing.T) {
	w := start(t, githubtest.Options{})
	w.Fail(githubtest.Nth("POST", "/comments", 0, githubtest.Invalid()))
	if err := w.api.UpsertComment(t.Context(), 7, marker, says("x")); err == nil || !strings.Contains(err.Error(), "422") {
		t.Errorf("error %v", err)
	}
	if w.count("POST", "/comments") != 1 {
		t.Error("a refused comment is sent again")
	}
}

func TestSelf(t *testing.T) {
	for login, want := range map[string]string{"": "github-actions[bot]", "reviewer[bot]": "reviewer[bot]", "ann": "ann"} {
		w := start(t, githubtest.Options{Login: login})
		for range 2 {
			if got, err := w.api.Self(t.Context()); err != nil || got != want {
				t.Errorf("token of %q: %q, %v", login, got, err)
			}
		}
		if n := w.count("GET", "/user"); n != 1 {
			t.Errorf("asked %d times", n)
		}
	}
}

// TestSelfDoesNotGuessInAnOutage: a failure is told to all who ask, and GitHub is not asked again.
func TestSelfDoesNotGuessInAnOutage(t *testing.T) {
	for want, fault := range map[string]githubtest.Fault{
		"GitHub answered 502": githubtest.BadGateway(), "GitHub answered 401": githubtest.Unauthorized(),
	} {
		w := start(t, githubtest.Options{Login: "ann"})
		w.Fail(githubtest.Nth("GET", "/user", 0, fault))
		_, first := w.api.Self(t.Context())
		asked := w.count("GET", "/user")
		if _, err := w.api.Self(t.Context()); first == nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("errors %v and %v, want %q", first, err, want)
		}
		if n := w.count("GET", "/user"); n != asked {
			t.Errorf("asked %d times and %d times", asked, n-asked)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	w := start(t, githubtest.Options{Login: "ann"})
	if _, err := w.api.Self(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if got, err := w.api.Self(t.Context()); got != "ann" {
		t.Errorf("after an ended context %q, %v", got, err)
	}
}
