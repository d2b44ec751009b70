// Package mcpserver speaks MCP over a pair of streams, to two kinds of clients.
//
// Serve offers the model that reviews read-only tools on the two sides of a change: list_files,
// read_file, search and diff. Everything is read from git objects: nothing is checked out, nothing
// is executed, symbolic links are not followed, and no answer names a path of the host.
//
// ServeWriters offers those who write what is reviewed the reviews themselves.
package mcpserver

import (
	"context"
	"io"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"workflow-reviewer/internal/change"
)

// Source gives the tools the two sides of a change.
type Source struct {
	Head change.Tree // the side under review; hostile
	Base change.Tree // the merge base, the old side
	// Changes lists the files that differ between the sides, sorted by path.
	// It is called at most once, on the first use of diff.
	Changes func(ctx context.Context) ([]change.File, error)
}

// The names of the tools.
const (
	ListFiles = "list_files"
	ReadFile  = "read_file"
	Search    = "search"
	Diff      = "diff"
)

// ToolNames lists the names of all tools.
func ToolNames() []string { return []string{ListFiles, ReadFile, Search, Diff} }

// Serve answers on out what it is asked on in, until in ends or the context is
// done. The end of in is a normal end. Serve closes neither stream.
func Serve(ctx context.Context, src Source, in io.Reader, out io.Writer) error {
	return speak(ctx, newServer(src), in, out, maxRequest)
}

// maxRequest is the longest request taken, in bytes.
const maxRequest = 1 << 20

// newServer is a server with the read-only tools over one change.
func newServer(src Source) *mcp.Server {
	s := mcp.NewServer(
		&mcp.Implementation{Name: "workflow-reviewer", Version: "1"},
		&mcp.ServerOptions{
			Instructions: "Read-only access to the change under review: both sides, as git holds " +
				"them.",
		},
	)
	t := newTools(src)
	add(s, ListFiles, "List the repository's files, with sizes. Sorted by path, in pages.", t.list)
	add(s, ReadFile, "Read a text file, with line numbers, in pages of lines.", t.read)
	add(
		s, Search, "Find the lines that contain a text or match a regular expression (RE2).",
		t.search,
	)
	add(
		s, Diff,
		"Without a path: list the files that the change touches. With a path: that file's diff.",
		t.diff,
	)
	return s
}

// add registers a tool whose answer is a text. The handler's error becomes a tool error that the
// model sees.
func add[In any](
	s *mcp.Server, name, description string,
	h func(context.Context, In) (string, error),
) {
	closed := false
	tool := &mcp.Tool{Name: name, Description: description, Annotations: &mcp.ToolAnnotations{
		ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &closed, DestructiveHint: &closed,
	}}
	mcp.AddTool(
		s, tool,
		func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
			text, err := h(ctx, in)
			if err != nil {
				return nil, nil, err
			}
			return &mcp.CallToolResult{
				Content: []mcp.Content{&mcp.TextContent{Text: text}},
			}, nil, nil
		},
	)
}
