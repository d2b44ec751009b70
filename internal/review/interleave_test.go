package review

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"workflow-reviewer/internal/workflow"
)

// staged is a model that answers about tests and implementation in the order that a test wants.
type staged struct {
	tests, code func(ctx context.Context) (Reply, error)
	asked       chan string // receives who is asked
}

func (*staged) Name() string { return "codex 9.9.9" }

func (s *staged) Review(ctx context.Context, req Request) (Reply, error) {
	s.asked <- req.Name
	answer := s.code
	if strings.HasPrefix(req.Name, "tests") {
		answer = s.tests
	}
	reply, err := answer(ctx)
	if reply.Text != "" {
		reply.Text = withStance(reply.Text, req)
	}
	reply.Tokens = workflow.Tokens{Input: 100, Output: 20}
	return reply, err
}

// replies answers once after is closed, nil for at once, and closes done then.
func replies(text string, after <-chan struct{}, done chan<- struct{}) func(context.Context) (Reply, error) {
	return func(ctx context.Context) (Reply, error) {
		if after != nil {
			select {
			case <-after:
			case <-ctx.Done():
				return Reply{}, &EngineError{Class: Cancelled, Message: "x", Tokens: workflow.Tokens{Input: 7}, Err: ctx.Err()}
			}
		}
		if done != nil {
			defer close(done)
		}
		return Reply{Text: text}, nil
	}
}

func fails(context.Context) (Reply, error) { return Reply{}, errors.New("x") }

const onlyAgainst = "An implementation is approved only against approved"

// TestTestsAndImplementationAtOnce plays each order in which the answers about tests and
// implementation may come: an approval of code never stands on tests that were refused.
func TestTestsAndImplementationAtOnce(t *testing.T) {
	t.Parallel()
	approved, refused := answer("APPROVED"), answer("NEEDS-CHANGES", issueJSON("High", "x"))
	never := make(chan struct{})
	for name, c := range map[string]struct {
		stage    func(first chan struct{}) *staged
		parallel int
		want     workflow.Decision
		asked    int
		tokens   int64 // of the implementation's review
		says     string
	}{
		"tests first, approved": {
			stage: func(first chan struct{}) *staged {
				return &staged{tests: replies(approved, nil, first), code: replies(approved, first, nil)}
			},
			want: workflow.Approved, asked: 2, tokens: 120,
		},
		"implementation first, tests approved": {
			stage: func(first chan struct{}) *staged {
				return &staged{tests: replies(approved, first, nil), code: replies(approved, nil, first)}
			},
			want: workflow.Approved, asked: 2, tokens: 120,
		},
		"implementation first, tests refused": {
			stage: func(first chan struct{}) *staged {
				return &staged{tests: replies(refused, first, nil), code: replies(approved, nil, first)}
			},
			want: workflow.NeedsChanges, asked: 2, tokens: 120, says: onlyAgainst,
		},
		"tests refused while the implementation is read": {
			stage: func(first chan struct{}) *staged {
				return &staged{tests: replies(refused, first, nil), code: func(ctx context.Context) (Reply, error) {
					close(first)
					return replies(approved, never, nil)(ctx)
				}}
			},
			want: workflow.NeedsChanges, asked: 2, tokens: 7, says: onlyAgainst,
		},
		"one at a time, tests refused": {
			stage: func(chan struct{}) *staged {
				return &staged{tests: replies(refused, nil, nil), code: replies(approved, nil, nil)}
			},
			parallel: 1, want: workflow.NeedsChanges, asked: 1, says: onlyAgainst,
		},
		"one at a time, tests approved": {
			stage: func(chan struct{}) *staged {
				return &staged{tests: replies(approved, nil, nil), code: replies(approved, nil, nil)}
			},
			parallel: 1, want: workflow.Approved, asked: 2, tokens: 120,
		},
		"the review of the tests failed": {
			stage: func(chan struct{}) *staged { return &staged{tests: fails, code: replies(approved, nil, nil)} },
			want:  workflow.NeedsChanges, asked: 2, tokens: 120, says: onlyAgainst,
		},
		"the review of the implementation failed, tests refused": {
			stage: func(first chan struct{}) *staged {
				return &staged{tests: replies(refused, first, nil), code: func(context.Context) (Reply, error) {
					close(first)
					return Reply{}, errors.New("x")
				}}
			},
			want: workflow.Error, asked: 2,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			head := sample()
			o := codexOptions()
			o.MaxParallel = max(c.parallel, 2-c.parallel)
			model := c.stage(make(chan struct{}))
			model.asked = make(chan string, 4)
			told := map[string]Exchange{}
			ro := runOptions(newClock())
			ro.Told = func(name string, x Exchange) { told[name] = x }
			if c.parallel == 1 { // what begins next knows the verdict, however long it takes to end
				ro.Redact = func(r workflow.Result) workflow.Result {
					time.Sleep(50 * time.Millisecond)
					return r
				}
			}
			results := Run(t.Context(), plan(t, o, inputOf(head, implementation(head), testsOf(head))), model, ro)
			got := results[1]
			if got.Decision != c.want || !strings.HasPrefix(got.Summary, c.says) {
				t.Errorf("decision %v, want %v: %s", got.Decision, c.want, got.Summary)
			}
			if len(model.asked) != c.asked || got.Tokens.Total() != c.tokens {
				t.Errorf("%d asked, want %d; %d tokens, want %d", len(model.asked), c.asked, got.Tokens.Total(), c.tokens)
			}
			if c.want == workflow.NeedsChanges && got.Failure != nil {
				t.Errorf("failure %+v", got.Failure)
			}
			if c.parallel == 1 {
				if first := <-model.asked; !strings.HasPrefix(first, "tests") {
					t.Errorf("%s was asked first", first)
				}
			}
			replayed(t, o, results, told)
		})
	}
}

// replayed has the reviews made again of what came back: they come to the same decisions.
func replayed(t *testing.T, o Options, results []workflow.Result, told map[string]Exchange) {
	t.Helper()
	head := sample()
	for _, r := range results {
		x := told[r.Artifact.Name()]
		x.Decision, x.Tokens, x.Date, x.Engine = r.Decision, r.Tokens, r.Date, r.Engine
		told[r.Artifact.Name()] = x
	}
	ro := runOptions(newClock())
	ro.Given = told
	again := Run(t.Context(), plan(t, o, inputOf(head, implementation(head), testsOf(head))), nil, ro)
	for i, r := range again {
		if r.Decision != results[i].Decision || r.Summary != results[i].Summary {
			t.Errorf("%s replayed: %v (%s), was %v (%s)",
				r.Artifact.Name(), r.Decision, r.Summary, results[i].Decision, results[i].Summary)
		}
	}
}

// TestTestsRefusedIsNoExcuse: a shard that says so of tests that were approved made no review.
func TestTestsRefusedIsNoExcuse(t *testing.T) {
	t.Parallel()
	head := sample()
	model := &staged{
		tests: replies(answer("APPROVED"), nil, nil), code: replies(answer("APPROVED"), nil, nil), asked: make(chan string, 4),
	}
	told := map[string]Exchange{}
	o, ro := codexOptions(), runOptions(newClock())
	ro.Told = func(name string, x Exchange) { told[name] = x }
	results := Run(t.Context(), plan(t, o, inputOf(head, implementation(head), testsOf(head))), model, ro)
	for _, claimed := range []workflow.Decision{workflow.NeedsChanges, workflow.Approved, workflow.Error} {
		given := map[string]Exchange{}
		for _, r := range results {
			x := told[r.Artifact.Name()]
			x.Decision, x.Date = r.Decision, r.Date
			if r.Artifact.Type == workflow.Implementation {
				x = Exchange{Failure: &EngineError{Class: TestsRefused, Message: "x"}, Decision: claimed, Date: r.Date}
			}
			given[r.Artifact.Name()] = x
		}
		ro := runOptions(newClock())
		ro.Given = given
		again := Run(t.Context(), plan(t, o, inputOf(head, implementation(head), testsOf(head))), nil, ro)
		if again[1].Decision != workflow.Error {
			t.Errorf("claimed %v: %v, %s", claimed, again[1].Decision, again[1].Summary)
		}
	}
}

// TestARefusalIsTold: the log says what the review beside refused tests cost.
func TestARefusalIsTold(t *testing.T) {
	t.Parallel()
	head, first := sample(), make(chan struct{})
	model := &staged{
		tests: replies(answer("NEEDS-CHANGES", issueJSON("High", "x")), first, nil), code: replies(answer("APPROVED"), nil, first),
		asked: make(chan string, 4),
	}
	var said []string
	ro := runOptions(newClock())
	ro.Progress = func(e ProgressEvent) { said = append(said, e.Message) }
	Run(t.Context(), plan(t, codexOptions(), inputOf(head, implementation(head), testsOf(head))), model, ro)
	if all := strings.Join(said, "\n"); !strings.Contains(all, "was refused meanwhile: 120 tokens") {
		t.Errorf("the progress does not tell what it cost:\n%s", all)
	}
}
