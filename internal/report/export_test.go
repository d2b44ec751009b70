package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"text/template"
	"text/template/parse"

	"workflow-reviewer/internal/record"
)

// Branches has the branches of all forms, and counts which were filled. Mistakes in a form show only then.
type Branches struct {
	mu    sync.Mutex
	count map[string]int
}

// WatchForms has every branch of the forms counted from now on.
func WatchForms() *Branches {
	b := &Branches{count: map[string]int{}}
	for _, forms := range []*template.Template{parsedForms(), record.Forms()} {
		forms.Funcs(template.FuncMap{"filledBranch": func(id string) string {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.count[id]++
			return ""
		}})
		for _, f := range forms.Templates() {
			if f.Tree != nil && !strings.HasSuffix(f.Name(), ".tmpl") { // those hold no text but their forms
				b.watch(f.Tree, f.Root, f.Name())
			}
		}
	}
	return b
}

func (b *Branches) watch(t *parse.Tree, list *parse.ListNode, name string) {
	if list == nil {
		return
	}
	for _, n := range list.Nodes {
		var branch *parse.BranchNode
		switch n := n.(type) {
		case *parse.IfNode:
			branch = &n.BranchNode
		case *parse.WithNode:
			branch = &n.BranchNode
		case *parse.RangeNode:
			branch = &n.BranchNode
		default:
			continue
		}
		where, _ := t.ErrorContext(branch)
		b.watch(t, branch.List, fmt.Sprintf("%s: %s", where, branch.Pipe))
		b.watch(t, branch.ElseList, fmt.Sprintf("%s: else of %s", where, branch.Pipe))
	}
	b.count[name] += 0
	call, err := parse.Parse("", fmt.Sprintf("{{filledBranch %q}}", name), "", "", map[string]any{"filledBranch": fmt.Sprint})
	if err != nil {
		panic(err)
	}
	list.Nodes = slices.Insert(list.Nodes, 0, call[""].Root.Nodes[0])
}

// Unfilled lists the branches that nothing filled.
func (b *Branches) Unfilled() []string {
	var out []string
	for id, n := range b.count {
		if n == 0 {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

// HTML is report.html.
func (r Report) HTML() ([]byte, error) {
	var b bytes.Buffer
	err := r.writeHTML(&b)
	return b.Bytes(), err
}

// SARIF is results.sarif.
func (r Report) SARIF() ([]byte, error) {
	var b bytes.Buffer
	err := r.writeSARIF(&b)
	return b.Bytes(), err
}
