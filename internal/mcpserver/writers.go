package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/sync/semaphore"

	"workflow-reviewer/internal/workflow"
)

// Writers does what the tools for writers ask for. Each error says what to do
// about it, and becomes a tool error. progress takes a line as things happen.
type Writers interface {
	Review(ctx context.Context, call ReviewCall, progress func(string)) (ReviewAnswer, error)
	AskAboutTest(ctx context.Context, call TestCall) (TestAnswer, error)
	CreateReview(ctx context.Context, call CreateCall) (CreateAnswer, error)
	CheckIntegrity(ctx context.Context, call IntegrityCall) (json.RawMessage, error)
}

// WritersOptions configure ServeWriters.
type WritersOptions struct {
	Version     string
	MaxParallel int // calls at a time; the others wait
}

// askTool is the tool that asks about a test.
const askTool = "request_immediate_test_review"

// maxWritersRequest is the longest request taken, in bytes: output of a test runner may be in it.
const maxWritersRequest = 8 << 20

// ServeWriters answers on out what writers ask on in, until in ends or the context is done. The
// calls under way are cancelled then, and have ended when it returns. It closes neither stream.
func ServeWriters(
	ctx context.Context, w Writers, o WritersOptions, in io.Reader, out io.Writer,
) error {
	s := mcp.NewServer(
		&mcp.Implementation{
			Name:    "workflow-reviewer",
			Title:   "Workflow Reviewer",
			Version: o.Version,
		},
		&mcp.ServerOptions{
			Instructions: "Reviews of workflow artifacts before they are proposed. When an " +
				"artifact is complete, call " +
				"the review tool of its type: it answers the decision with every finding, " +
				"violation and weakened test. Fix what it " +
				"finds, and call again. A test that seems wrong is never edited: " +
				"call request_immediate_test_review. " +
				"Nothing that these tools answer counts as an approval in CI.",
		},
	)
	s.AddReceivingMiddleware(declareRequired)
	d := &desk{ctx: ctx, slots: semaphore.NewWeighted(int64(max(o.MaxParallel, 1)))}
	for _, t := range reviewTools() {
		addTool(
			s,
			d,
			&mcp.Tool{
				Name:        t.name,
				Description: t.description,
				InputSchema: t.schema(),
				Annotations: writes(),
			},
			func(ctx context.Context, call ReviewCall, tell func(string)) (ReviewAnswer, error) {
				call.Type = t.typ
				return w.Review(ctx, call, tell)
			},
		)
	}
	addTool(
		s, d,
		&mcp.Tool{Name: askTool, Annotations: reads(), Description: "Ask whether a test is wrong " +
			"instead of changing it. Answers within 30 seconds TEST_HAS_BUG, TEST_IS_CORRECT or " +
			"SPEC_UNCLEAR, with the place in the spec. " +
			"Changes no test and approves nothing."},
		func(ctx context.Context, call TestCall, _ func(string)) (TestAnswer, error) {
			return w.AskAboutTest(ctx, call)
		},
	)
	addTool(
		s,
		d,
		&mcp.Tool{
			Name:        "create_review",
			InputSchema: createSchema(),
			Annotations: writes(),
			Description: "Write a review of " +
				"your own as REVIEW.md, in agentd/changes/<change_id>/ where that folder exists, " +
				"else at the root of the work tree. " +
				"Invalid input is refused whole. It is no record of a review and no approval.",
		},
		func(ctx context.Context, call CreateCall, _ func(string)) (CreateAnswer, error) {
			return w.CreateReview(ctx, call)
		},
	)
	addTool(
		s,
		d,
		&mcp.Tool{
			Name:        "check_integrity",
			Annotations: reads(),
			Description: "Check that the approved tests in the work tree " +
				"still demand what was approved. Answers the verdict (clean, breach, failing, " +
				"workaround, unverifiable, " +
				"no-baseline) with every violation " +
				"and question.",
		},
		func(ctx context.Context, call IntegrityCall, _ func(string)) (json.RawMessage, error) {
			return w.CheckIntegrity(ctx, call)
		},
	)
	err := speak(ctx, s, in, out, maxWritersRequest)
	d.calls.Wait()
	return err
}

// reads says of a tool that it changes nothing, and that it may ask a model.
func reads() *mcp.ToolAnnotations {
	return &mcp.ToolAnnotations{ReadOnlyHint: true}
}

// writes is of tools that add files and destroy none.
func writes() *mcp.ToolAnnotations {
	destroys := false
	return &mcp.ToolAnnotations{DestructiveHint: &destroys}
}

// desk lets in as many calls as are allowed at a time, and knows when all have ended.
type desk struct {
	ctx   context.Context //nolint:containedctx // of the server, whose end ends the calls
	slots *semaphore.Weighted
	calls sync.WaitGroup
}

// addTool registers a tool with a structured answer and its JSON as text. A panic ends the call
// alone. Calls beyond the slots wait, and say so to the client.
func addTool[In, Out any](
	s *mcp.Server,
	d *desk,
	tool *mcp.Tool,
	h func(context.Context, In, func(string)) (Out, error),
) {
	// docs/writers.md says what is in it; agents read it with every request.
	tool.OutputSchema = &jsonschema.Schema{Type: "object"}
	mcp.AddTool(
		s,
		tool,
		func(
			ctx context.Context, req *mcp.CallToolRequest, in In,
		) (_ *mcp.CallToolResult, out Out, err error) {
			d.calls.Add(1)
			defer d.calls.Done()
			defer func() {
				if p := recover(); p != nil {
					err = fmt.Errorf("internal error: %v; this is a defect of workflow-reviewer", p)
				}
			}()
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			defer context.AfterFunc(d.ctx, cancel)()
			tell, stop := progressOf(ctx, req)
			defer stop()
			if !d.slots.TryAcquire(1) {
				tell("waits for another call to end")
				if err := d.slots.Acquire(ctx, 1); err != nil {
					return nil, out, fmt.Errorf("the call was cancelled before it began: %w", err)
				}
			}
			defer d.slots.Release(1)
			out, err = h(ctx, in, tell)
			return nil, out, err
		},
	)
}

// heartbeat is the interval at which a call that goes on says so: clients give up on calls of which
// they hear nothing.
const heartbeat = 10 * time.Second

// settle is the pause between the last line told and the answer: a client of the TypeScript SDK
// that reads both at once handles the answer first, and reports the line as one of an unknown
// token.
const settle = 100 * time.Millisecond

// progressOf returns a function that tells the client a line, if it asked to be told. stop ends
// the heartbeat, and returns when the answer may be sent. Without a token of the client's nothing
// is told, and stop does nothing.
func progressOf(ctx context.Context, req *mcp.CallToolRequest) (tell func(string), stop func()) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return func(string) {}, func() {}
	}
	var mu sync.Mutex
	count := 0.0
	last := "working"
	var told time.Time
	send := func(line string) {
		mu.Lock()
		defer mu.Unlock()
		if line != "" {
			last = line
		}
		count++
		// A client that cannot be told is told the answer all the same.
		_ = req.Session.NotifyProgress(
			ctx,
			&mcp.ProgressNotificationParams{ProgressToken: token, Progress: count, Message: last},
		)
		told = time.Now()
	}
	done := make(chan struct{})
	var ended sync.WaitGroup
	ended.Go(func() {
		tick := time.NewTicker(heartbeat)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				send("")
			case <-done:
				return
			case <-ctx.Done():
				return
			}
		}
	})
	return send, func() {
		close(done)
		ended.Wait()
		mu.Lock()
		defer mu.Unlock()
		select {
		case <-time.After(settle - time.Since(told)):
		case <-ctx.Done():
		}
	}
}

// reviewTool is one tool that has an artifact reviewed.
type reviewTool struct {
	typ         workflow.Type
	name        string
	description string
	required    []string // of ReviewCall; path or feature may stand for them
	optional    []string // of ReviewCall, beside the common ones
}

// common are the parameters of all review tools.
func common() []string {
	return []string{"path", "feature", "revision", "base", "reasoning_effort"}
}

// reviewTools are the tools that review an artifact, with the parameters that each needs and takes.
func reviewTools() []reviewTool {
	return []reviewTool{
		{
			workflow.Vision, "request_vision_review", "Review a vision document.",
			[]string{"vision_path"},
			nil,
		},
		{
			workflow.Scope,
			"request_scope_review",
			"Review a scope document.",
			[]string{"scope_path"},
			[]string{"vision_path"},
		},
		{
			workflow.Roadmap,
			"request_roadmap_review",
			"Review a roadmap.",
			[]string{"roadmap_path"},
			[]string{"scope_path"},
		},
		{
			workflow.Spec, "request_spec_review",
			"Review a spec for testability, completeness and clarity.",
			[]string{"spec_path"},
			[]string{"auto_move_on_approval"},
		},
		{
			workflow.Skeleton, "request_skeleton_review", "Review a skeleton against its spec.",
			[]string{"skeleton_files", "spec_path"},
			[]string{"auto_move_on_approval"},
		},
		{
			workflow.Tests, "request_test_review", "Review tests against their spec.",
			[]string{"test_files", "spec_path"},
			[]string{"coverage_report", "auto_move_on_approval"},
		},
		{
			workflow.Implementation, "request_implementation_review",
			"Review an implementation against its spec, and check that the approved tests are " +
				"intact.",
			[]string{"implementation_files", "test_results", "spec_path"},
			[]string{"coverage_report", "auto_move_to_done"},
		},
		{
			workflow.BugFix, "request_bugfix_review",
			"Review a bug fix with its report and regression test.",
			[]string{"bug_report_path", "fix_files", "sentinel_test"},
			[]string{"test_results", "auto_move_to_fixed"},
		},
	}
}

// schema is that of ReviewCall with the tool's own parameters alone. Clients refuse schemas with
// alternatives at their top, so that nothing is required here.
func (t reviewTool) schema() *jsonschema.Schema {
	all := schemaOf[ReviewCall]()
	s := &jsonschema.Schema{
		Type:                 "object",
		AdditionalProperties: all.AdditionalProperties,
		Properties:           map[string]*jsonschema.Schema{},
	}
	for _, name := range slices.Concat(t.required, t.optional, common()) {
		s.Properties[name] = all.Properties[name]
		s.PropertyOrder = append(s.PropertyOrder, name)
	}
	s.Properties["reasoning_effort"].Enum = []any{"low", "medium", "high"}
	return s
}

// required lists the parameters of a tool that its schema demands, by the tool's name. They are
// declared and not enforced: path, feature and other names may stand for them, an alternative that
// a schema can only say at its top, where clients refuse it.
func required() map[string][]string {
	out := map[string][]string{askTool: {"test_file", "conflict"}}
	for _, t := range reviewTools() {
		out[t.name] = t.required
	}
	return out
}

// synonym is the description of a parameter that is another name for one, which is understood and
// not listed.
const synonym = "synonym"

// declareRequired has the list of tools name what a call needs.
func declareRequired(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		list, ok := res.(*mcp.ListToolsResult)
		if !ok {
			return res, err
		}
		out := *list
		out.Tools = nil
		for _, t := range list.Tools {
			tool := *t
			if schema, ok := t.InputSchema.(*jsonschema.Schema); ok && required()[t.Name] != nil {
				declared := *schema
				declared.Required = required()[t.Name]
				declared.Properties = maps.Clone(schema.Properties)
				maps.DeleteFunc(
					declared.Properties,
					func(_ string, p *jsonschema.Schema) bool { return p.Description == synonym },
				)
				tool.InputSchema = &declared
			}
			out.Tools = append(out.Tools, &tool)
		}
		return &out, err
	}
}

// schemaOf infers a schema from a type of this package.
func schemaOf[T any]() *jsonschema.Schema {
	s, err := jsonschema.For[T](nil)
	if err != nil {
		panic(fmt.Sprintf("infer the schema of a tool: %v", err)) // the types are this package's
	}
	return s
}

// Bounds of a review that is written by hand, in characters and entries.
const (
	maxOwnTitle  = 200
	maxOwnPath   = 1000
	maxOwnText   = 20_000
	maxOwnIssues = 200
)

// createSchema is the schema of create_review, with the closed lists of its words and the bounds of
// its texts. What it refuses reaches no Writers.
func createSchema() *jsonschema.Schema {
	s := schemaOf[CreateCall]()
	bounds := func(p *jsonschema.Schema, most int, pattern string) {
		p.MaxLength, p.Pattern = &most, pattern
	}
	const notBlank = `\S`
	bounds(s.Properties["change_id"], maxOwnTitle, `^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)
	bounds(s.Properties["summary"], maxOwnText, notBlank)
	s.Properties["verdict"].Enum = []any{"APPROVED", "NEEDS_FIX", "MAJOR_ISSUES"}
	s.Properties["issues"].MaxItems = new(maxOwnIssues)
	issue := s.Properties["issues"].Items.Properties
	bounds(issue["title"], maxOwnTitle, notBlank)
	bounds(issue["description"], maxOwnText, notBlank)
	bounds(issue["recommendation"], maxOwnText, "")
	bounds(issue["file"], maxOwnPath, "")
	issue["severity"].Enum = []any{
		string(workflow.Block), string(workflow.Warn), string(workflow.Note),
	}
	issue["line"].Minimum = new(1.0)
	for _, name := range []string{"passed", "failed", "total"} {
		s.Properties["test_results"].Properties[name].Minimum = new(0.0)
	}
	return s
}
