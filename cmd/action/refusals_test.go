package main_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
)

// first fails the first so many requests whose method, path and body hold the parts; 0 fails all.
func first(times int, method, path, body string, f githubtest.Fault) func(githubtest.Call) *githubtest.Fault {
	seen := 0
	return func(c githubtest.Call) *githubtest.Fault {
		if c.Method != method || !strings.Contains(c.Path, path) || !bytes.Contains(c.Body, []byte(body)) {
			return nil
		}
		if seen++; times > 0 && seen > times {
			return nil
		}
		return &f
	}
}

const trouble = "Something went wrong while executing your query. This may be the result of a timeout, or it could be a GitHub bug."

// TestPassingGraphQLErrors: an error under status 200 that passes costs neither the paid review nor a second commit,
// whether the commit was made or not.
func TestPassingGraphQLErrors(t *testing.T) {
	for name, f := range map[string]githubtest.Fault{
		"trouble":           githubtest.GraphFault("", trouble),
		"trouble, but done": githubtest.Lost(githubtest.GraphFault("", trouble)),
		"too quickly":       githubtest.GraphFault("UNPROCESSABLE", "was submitted too quickly"),
		"unavailable":       githubtest.GraphFault("SERVICE_UNAVAILABLE", "The service is unavailable."),
		"internal, done":    githubtest.Lost(githubtest.GraphFault("INTERNAL", "Internal error")),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := specWorld(t, codextest.Always(answer("APPROVED")))
			head := w.head()
			w.gh.Fail(first(1, "POST", "/graphql", "createCommitOnBranch", f))
			w.run(w.pull("opened")).ends(0, "APPROVED")
			if log := w.repo.Git("log", "--format=%s", head+"..refs/heads/feature/login"); log != "Approve spec: login" {
				t.Errorf("commits: %q", log)
			}
			if n := w.model.Count(); n != 1 {
				t.Errorf("%d model requests", n)
			}
		})
	}
}

// TestRefusedCommits: a refusal that no repetition changes is told by its reason, and asked for once.
func TestRefusedCommits(t *testing.T) {
	rule := func(says string) githubtest.Fault {
		return githubtest.GraphFault("UNPROCESSABLE", "Repository rule violations found\n\n"+says+"\n\n")
	}
	for _, c := range []struct {
		name  string
		fault githubtest.Fault
		says  string
	}{
		{"signatures", rule("Commits must have verified signatures."), "asks for signed commits"},
		{"messages", rule("Commit message must match a given regex pattern: ^(feat|fix): .+"), "set `commits.prefix` in the config"},
		{"paths", rule("File path restricted: reviews/"), "keeps the paths that reviews are written to"},
		{"pull requests", rule("Changes must be made through a pull request."), "lets nobody push to the branch"},
		{"another rule", rule("Cannot update this protected ref."), "let the token's App bypass the rule that GitHub names"},
		{"no permission", githubtest.GraphFault("FORBIDDEN", "Resource not accessible by integration"), "contents: write"},
		{
			"single sign-on", githubtest.GraphFault("FORBIDDEN", "Resource protected by organization SAML enforcement."),
			"authorize the token for the organization",
		},
		{"App's token", githubtest.Unauthorized(), "the token of a GitHub App lives an hour"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := specWorld(t, codextest.Always(answer("APPROVED")))
			head := w.head()
			asked := 0
			fail := first(0, "POST", "/graphql", "createCommitOnBranch", c.fault)
			w.gh.Fail(func(c githubtest.Call) *githubtest.Fault {
				f := fail(c)
				if f != nil {
					asked++
				}
				return f
			})
			o := w.run(w.pull("opened"))
			o.ends(2, "ERROR")
			gate := w.check(head, "workflow-reviewer")
			for where, text := range map[string]string{"log": o.stdout, "check": gate.Summary} {
				if !strings.Contains(plainText(text), plainText(c.says)) {
					t.Errorf("the %s does not say %q:\n%s", where, c.says, text)
				}
			}
			if asked != 1 {
				t.Errorf("the commit was asked for %d times", asked)
			}
		})
	}
}

// plainText is Markdown without its marks.
func plainText(s string) string { return strings.NewReplacer("`", "", "\\", "", "*", "").Replace(s) }

// TestRefusedInlineComments: a finding whose comment GitHub does not take is annotated, and the log says why.
func TestRefusedInlineComments(t *testing.T) {
	unprocessable := func(says string) githubtest.Fault {
		return githubtest.Fault{Status: 422, Body: fmt.Sprintf(`{"message":"Unprocessable Entity","errors":[%q]}`, says)}
	}
	for _, c := range []struct {
		name, path string
		times      int
		fault      githubtest.Fault
		says       string // "" if the comment is posted in the end
	}{
		{"too quickly", "/reviews", 1, unprocessable("was submitted too quickly"), ""},
		{
			"pending review", "/reviews", 0, unprocessable("User can only have one pending review per pull request"),
			"submit or delete that review",
		},
		{
			"diff too large", "/pulls/7/", 0, unprocessable("Pull request review thread path diff too large"),
			"the file's diff is too large for comments",
		},
		{"no permission", "/pulls/7/", 0, githubtest.Forbidden(), "permissions: pull-requests: write"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := specWorld(t, codextest.Always(answer("NEEDS-CHANGES", issue("High", "Hole", "specs/proposed/login.md", 3))))
			head := w.head()
			w.gh.Fail(first(c.times, "POST", c.path, "", c.fault))
			o := w.run(w.pull("opened"))
			o.ends(1, "NEEDS-CHANGES")
			annotated := 0
			for _, a := range w.check(head, "workflow-reviewer").Annotations {
				if strings.Contains(a.Title, "Hole") {
					annotated++
				}
			}
			posted := len(w.gh.ReviewComments())
			if want := c.says == ""; (posted == 1) != want || (annotated == 0) != want {
				t.Errorf("%d comments, %d annotations", posted, annotated)
			}
			if !strings.Contains(o.stdout, c.says) || (c.says != "") != strings.Contains(o.stdout, "annotated in place of") {
				t.Errorf("the log does not say %q:\n%s", c.says, o.stdout)
			}
		})
	}
}

// TestInlineThreshold: findings below the severity that gets a thread are annotations.
func TestInlineThreshold(t *testing.T) {
	for input, want := range map[string]int{"true": 3, "low": 3, "medium": 2, "high": 1, "false": 0} {
		t.Run(input, func(t *testing.T) {
			t.Parallel()
			const path = "specs/proposed/login.md"
			w := specWorld(t, codextest.Always(answer("NEEDS-CHANGES",
				issue("High", "Hole", path, 3), issue("Medium", "Crack", path, 5), issue("Low", "Dent", path, 7))))
			w.inputs["inline-comments"] = input
			head := w.head()
			w.run(w.pull("opened")).ends(1, "NEEDS-CHANGES")
			annotated := 0
			for _, a := range w.check(head, "workflow-reviewer").Annotations {
				if a.Path == path && (strings.Contains(a.Title, "Hole") || strings.Contains(a.Title, "Crack") || strings.Contains(a.Title,
					"Dent")) {
					annotated++
				}
			}
			if n := len(w.gh.ReviewComments()); n != want || n+annotated != 3 {
				t.Errorf("%d threads and %d annotations, want %d threads of 3 findings", n, annotated, want)
			}
		})
	}
	w := specWorld(t, nil)
	w.inputs["inline-comments"] = "severe"
	o := w.run(w.pull("opened"))
	o.ends(2, "ERROR")
	if !strings.Contains(o.stdout, `input "inline-comments": "severe" is not one of true, false, high, medium, low`) {
		t.Error(o.stdout)
	}
}

// TestKeyThatIsNone: a key that cannot be one is a wrong input, told before anything is asked and never shown.
func TestKeyThatIsNone(t *testing.T) {
	for _, prefix := range []string{"Bearer ", "OPENAI_API_KEY=", "\""} {
		t.Run(prefix, func(t *testing.T) {
			t.Parallel()
			w := specWorld(t, codextest.Always(answer("APPROVED")))
			w.inputs["openai-api-key"] = prefix + canaryKey
			head := w.head()
			o := w.run(w.pull("opened"))
			o.ends(2, "ERROR")
			gate := w.check(head, "workflow-reviewer")
			if gate.Title != "Review did not run" || !strings.Contains(gate.Summary, "pass") || w.model.Count() > 0 {
				t.Errorf("%d model requests; check %q: %s", w.model.Count(), gate.Title, gate.Summary)
			}
			for where, text := range map[string]string{
				"log": strings.ReplaceAll(o.stdout, "::add-mask::"+prefix+canaryKey, ""), "check": gate.Summary + gate.Text,
				"comment": w.gh.Comments()[0].Body, "summary": o.summary,
			} {
				if strings.Contains(text, canaryKey) {
					t.Errorf("the %s shows the key:\n%s", where, text)
				}
			}
		})
	}
}

// TestDeletedBranch: a branch that is gone when its reviews are to be committed is told as such.
func TestDeletedBranch(t *testing.T) {
	var w *world
	w = specWorld(t, func(codextest.Request) codextest.Response {
		w.repo.Git("update-ref", "-d", "refs/heads/feature/login")
		return answer("APPROVED")
	})
	o := w.run(w.pull("opened"))
	o.ends(2, "ERROR")
	if !strings.Contains(o.stdout, "it was deleted or renamed") || strings.Contains(o.stdout, "file does not exist") {
		t.Errorf("%s", o.stdout)
	}
}

// TestPersonalToken: a token that cannot make check runs is told as such, and the run goes on without them.
func TestPersonalToken(t *testing.T) {
	for _, says := range []string{"You must authenticate via a GitHub App.", "Resource not accessible by personal access token"} {
		t.Run(says, func(t *testing.T) {
			t.Parallel()
			w := specWorld(t, codextest.Always(answer("APPROVED")))
			w.gh.Fail(first(0, "POST", "/check-runs", "", githubtest.Fault{Status: 403, Body: fmt.Sprintf(`{"message":%q}`, says)}))
			o := w.run(w.pull("opened"))
			o.ends(0, "APPROVED")
			if !strings.Contains(o.stdout, "a personal access token cannot make check runs") || strings.Contains(o.stdout,
				"check the job's permissions") {
				t.Errorf("%s", o.stdout)
			}
		})
	}
}
