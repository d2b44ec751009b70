// Package docstest holds no code of the program: its tests execute the examples
// of the documentation and keep its tables equal to what the code says.
package docstest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"workflow-reviewer/internal/checks"
	"workflow-reviewer/internal/integrity/trick"
	"workflow-reviewer/internal/report"
)

// named is an entry of an action; the file's order is the tables' order.
type named struct{ name, description, value string }

func actionEntries(t *testing.T, file, section string) []named {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	nodes := doc[section].Content
	var out []named
	for i := 0; i+1 < len(nodes); i += 2 {
		var e struct{ Description, Default string }
		if err := nodes[i+1].Decode(&e); err != nil {
			t.Fatal(err)
		}
		out = append(out, named{nodes[i].Value, e.Description, e.Default})
	}
	return out
}

func TestInputTable(t *testing.T) {
	var b strings.Builder
	b.WriteString("| input | default | meaning |\n|---|---|---|\n")
	for _, e := range actionEntries(t, "action.yml", "inputs") {
		value := ""
		if e.value != "" {
			value = "`" + e.value + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", e.name, value, cell(e.description))
	}
	generated(t, "docs/inputs.md", "inputs", b.String())
}

func TestOutputTable(t *testing.T) {
	var b strings.Builder
	b.WriteString("| output | meaning |\n|---|---|\n")
	for _, e := range actionEntries(t, "action.yml", "outputs") {
		fmt.Fprintf(&b, "| `%s` | %s |\n", e.name, cell(e.description))
	}
	generated(t, "docs/inputs.md", "outputs", b.String())
}

func TestActionHasTheProgramsOutputs(t *testing.T) {
	var got, want []string
	for _, e := range actionEntries(t, "action.yml", "outputs") {
		got = append(got, e.name)
	}
	for _, o := range (report.Report{}).Outputs() {
		want = append(want, o.Name)
	}
	if d := gocmp.Diff(want, got); d != "" {
		t.Errorf("action.yml (+) and report.Outputs (-) differ:\n%s", d)
	}
}

func TestCheckTable(t *testing.T) {
	var b strings.Builder
	b.WriteString("| check | of | severity | useful | finds |\n|---|---|---|---|---|\n")
	for _, e := range checks.Catalog() {
		useful := ""
		if j := checks.Precision(e.ID); j.Total() > 0 {
			useful = fmt.Sprintf("%d of %d", j.Useful, j.Total())
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", e.ID, e.Of(), e.Weight(), useful, cell(e.Title))
	}
	generated(t, "docs/checks.md", "checks", b.String())
}

func TestTrickTable(t *testing.T) {
	var b strings.Builder
	b.WriteString("| rule | looks for | question |\n|---|---|---|\n")
	for _, r := range trick.Entries() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", r.ID(), cell(r.Says), cell(r.Asks))
	}
	generated(t, "docs/integrity-rules.md", "tricks", b.String())
}

// schemaNode is what the tables need of a JSON Schema.
type schemaNode struct {
	Type        string
	Description string
	Enum        []string
	Properties  yaml.Node // an ordered mapping
	Additional  json.RawMessage
}

func TestConfigTable(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "schema", "config.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	var top schemaNode
	if err := yaml.Unmarshal(data, &top); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("| key | meaning |\n|---|---|\n")
	rows(t, &b, "", top)
	generated(t, "docs/configuration.md", "keys", b.String())
}

// rows writes one row for each key; JSON is YAML, whose parser keeps the order.
func rows(t *testing.T, b *strings.Builder, prefix string, s schemaNode) {
	t.Helper()
	for i := 0; i+1 < len(s.Properties.Content); i += 2 {
		var sub schemaNode
		if err := s.Properties.Content[i+1].Decode(&sub); err != nil {
			t.Fatal(err)
		}
		key := prefix + s.Properties.Content[i].Value
		fmt.Fprintf(b, "| `%s` | %s |\n", key, cell(sub.Description))
		rows(t, b, key+".", sub)
	}
}

// cell is a text for a table: one line, without what would end the cell.
func cell(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "|", `\|`)
}
