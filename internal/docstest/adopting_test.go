package docstest

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A spec and the tests and code that the pull requests of docs/adopting.md add.
const (
	slugCriteria = "- FR-001: `slug(\"A b\")` returns `a-b`\n- FR-002: `slug(\"\")` raises `ValueError`\n"
	slugSpec     = "# Slug\n\nTurns a title into the part of an address that names it, so that links can be read by people.\n\n" +
		"## Interface\n\n`slug(title: str) -> str`\n\n## Acceptance criteria\n\n" + slugCriteria +
		"\n## Out of scope\n\nTitles that are not English.\n"
	slugTests = "import pytest\n\nfrom app.slug import slug\n\n\ndef test_fr001_words():\n    assert slug(\"A b\") == \"a-b\"\n" +
		"\n\ndef test_fr002_empty():\n    with pytest.raises(ValueError):\n        slug(\"\")\n"
	slugCode = "def slug(title):\n    if not title:\n        raise ValueError(\"empty\")\n    return \"-\".join(title.lower().split())\n"
)

// adoption is a layout with the files of its first pull requests.
type adoption struct {
	layout string
	base   map[string]string
	spec   map[string]string // of the first pull request, nil without specs
	doing  string            // where the spec is when work on it begins, "" = where it was
}

func adoptions() []adoption {
	kit := "# Feature Specification: Slug\n\n**Status**: Draft\n\n## User Story 1\n\nA reader opens an address that can be read.\n\n" +
		"## Requirements\n\n" +
		strings.ReplaceAll(slugCriteria, "- FR", "- **FR") + "\n"
	kit = strings.NewReplacer("FR-001:", "FR-001**:", "FR-002:", "FR-002**:").Replace(kit)
	open := "## ADDED Requirements\n\n### Requirement: Slugs\nThe system SHALL turn a title into a slug.\n\n#### Scenario: Words\n" +
		"- **WHEN** the title is `A b`\n- **THEN** the slug is `a-b`\n" +
		"\n#### Scenario: Empty\n- **WHEN** the title is empty\n- **THEN** a `ValueError` is raised\n"
	kiro := "# Requirements\n\n## Introduction\n\n" +
		"A title becomes the part of an address that names it, so that people can read links.\n\n### Requirement 1\n\n" +
		"#### Acceptance Criteria\n\n1. WHEN the title is `A b` THEN the system SHALL return `a-b`\n" +
		"2. IF the title is empty THEN the system SHALL raise `ValueError`\n"
	return []adoption{
		{"plain", map[string]string{"tests/test_slug.py": slugTests, "app/slug.py": slugCode}, nil, ""},
		{
			"workflow",
			map[string]string{"ROADMAP.md": "# Roadmap\n\n## First\n\n- Slug: readable links\n"},
			map[string]string{"specs/proposed/slug.md": slugSpec},
			"specs/doing/slug.md",
		},
		{
			"spec-kit",
			map[string]string{".specify/memory/constitution.md": "# Constitution\n\nTests come first.\n"},
			map[string]string{"specs/001-slug/spec.md": kit},
			"",
		},
		{"openspec", map[string]string{"openspec/project.md": "# Project\n\nA shop.\n"}, map[string]string{
			"openspec/changes/slug/specs/links/spec.md": open,
			"openspec/changes/slug/proposal.md":         "# Slug\n\n## Why\n\nLinks cannot be read.\n",
		}, ""},
		{
			"kiro",
			map[string]string{".kiro/steering/tech.md": "# Tech\n\nPython.\n"},
			map[string]string{".kiro/specs/slug/requirements.md": kiro},
			"",
		},
	}
}

// TestAdopting does what docs/adopting.md tells, in each layout, and publishes what the first three pull requests of two
// of them then show.
func TestAdopting(t *testing.T) {
	const head = "| project | pull request | reviews | result |\n|---|---|---|---|\n"
	var all strings.Builder
	published := head
	for _, a := range adoptions() {
		p := newProject(t, a)
		var b strings.Builder
		weak := strings.Replace(slugTests, `== "a-b"`, `is not None`, 1)
		if a.spec == nil {
			b.WriteString(p.pull("1: code, and a test that demands less",
				map[string]string{"app/slug.py": slugCode + "\n\nLIMIT = 80\n", "tests/test_slug.py": weak}))
			b.WriteString(p.pull("2: code that runs a text as code",
				map[string]string{"app/slug.py": slugCode + "\n\ndef rule(text):\n    return eval(text)\n"}))
			b.WriteString(p.pull("3: code with a test", map[string]string{
				"app/slug.py": slugCode + "\n\ndef cut(title):\n    return slug(title)[:80]\n",
				"tests/test_slug.py": strings.Replace(slugTests, "import slug", "import cut, slug", 1) +
					"\n\ndef test_cut():\n    assert cut(\"a\") == \"a\"\n",
			}))
		} else {
			b.WriteString(p.pull("1: the spec", a.spec))
			p.merge()
			b.WriteString(p.pull("2: tests of it", map[string]string{"tests/test_slug.py": slugTests}))
			p.merge()
			b.WriteString(p.pull("3: the code, and a test that demands less",
				map[string]string{"app/slug.py": slugCode, "tests/test_slug.py": weak}))
		}
		all.WriteString(b.String())
		if a.layout == "plain" || a.layout == "workflow" {
			published += b.String()
		}
	}
	generated(t, "docs/adopting.md", "first pull requests", published)
	generated(t, "internal/docstest/testdata/adopting.md", "first pull requests", head+all.String())
}

type project struct {
	t *testing.T
	adoption
	dir    string
	branch string
	pulls  int
}

func newProject(t *testing.T, a adoption) *project {
	p := &project{t: t, adoption: a, dir: t.TempDir()}
	p.git("init", "-q", "-b", "main")
	p.commit(map[string]string{".workflow/config.json": `{"approvals":{"by_rules":true}}`})
	p.commit(a.base)
	return p
}

func (p *project) git(args ...string) {
	p.t.Helper()
	args = append([]string{"-C", p.dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)
	if out, err := exec.CommandContext(p.t.Context(), "git", args...).CombinedOutput(); err != nil {
		p.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (p *project) commit(files map[string]string) {
	p.t.Helper()
	for name, content := range files {
		full := filepath.Join(p.dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
			p.t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(content), 0o600); err != nil {
			p.t.Fatal(err)
		}
	}
	p.git("add", ".")
	p.git("commit", "-q", "-m", "Work")
}

// merge takes over what was approved, and begins the work on the spec.
func (p *project) merge() {
	p.t.Helper()
	p.git("switch", "-q", "main")
	p.git("merge", "-q", "--ff-only", p.branch)
	if p.doing != "" && p.pulls == 1 {
		if err := os.MkdirAll(filepath.Join(p.dir, filepath.Dir(p.doing)), 0o700); err != nil {
			p.t.Fatal(err)
		}
		p.git("mv", "specs/proposed/slug.md", p.doing)
		p.git("commit", "-q", "-m", "Begin")
	}
}

// pull reviews a pull request as the action does, commits the reviews, and gives
// a row of the table.
func (p *project) pull(what string, files map[string]string) string {
	p.t.Helper()
	p.pulls++
	p.branch = fmt.Sprintf("feature/%d-slug", p.pulls)
	if p.layout == "workflow" || p.layout == "kiro" || p.layout == "openspec" {
		p.branch = fmt.Sprintf("pull%d/slug", p.pulls)
	}
	p.git("switch", "-q", "-c", p.branch, "main")
	p.commit(files)
	out, code := run(p.t, "local", "--repo", p.dir, "--base", "main", "--engine", "rules", "--apply", "--json")
	var r struct {
		Title   string
		Reviews []struct {
			Type, Feature, Decision, Summary string
		}
		Weakened []struct{ Description string }
	}
	if err := json.Unmarshal([]byte(out[max(0, strings.Index(out, "{\n")):]), &r); err != nil {
		p.t.Fatalf("%s: %s: %v\n%s", p.layout, what, err, out)
	}
	var reviews, result []string
	for _, review := range r.Reviews {
		reviews = append(reviews, fmt.Sprintf("%s: %s %s", review.Type, review.Feature, review.Decision))
		if summary, _, _ := strings.Cut(cell(review.Summary), ". No reviewer"); review.Decision != "APPROVED" &&
			!slices.Contains(result, summary) {
			result = append(result, summary)
		}
	}
	for _, w := range r.Weakened {
		result = append(result, "warning: "+w.Description)
	}
	p.git("switch", "-q", "--discard-changes", p.branch)
	return fmt.Sprintf("| %s | %s | %s | status %d: %s |\n", p.layout, what, strings.Join(reviews, "<br>"), code,
		cell(strings.Join(append([]string{r.Title}, result...), ". ")))
}
