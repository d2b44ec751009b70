package main_test

import (
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
)

// TestEntriesThatMatchNothing: a setting that has no effect is a warning that names it.
func TestEntriesThatMatchNothing(t *testing.T) {
	t.Parallel()
	base := map[string]string{
		"ROADMAP.md": roadmap, "docs/a.md": "# A\n", "services/pay/pay.py": "",
		"Workflow/good.md":       "# Good\n\n## Clear\n\nIt is.\n\n## Whole\n\nIt is.\n",
		"packages/web/qa/run.sh": "true\n",
	}
	pr := map[string]string{"specs/proposed/login.md": goodSpec, "new/b.md": "# B\n"}
	for name, c := range map[string]struct {
		config string
		warned string // "key: entry" of each, sorted; "" for none
	}{
		"all match": {
			`{"ignore":["docs/**","new/*.md"],"features":{"pay":["services/pay/**"]},"context":["docs"]}`, "",
		},
		"folders": {
			`{"ignore":["docs","new/"],"features":{"pay":["services/pay"]},"context":["docs/"]}`, "",
		},
		"ignore": {`{"ignore":["docs/**","dcos/**","*.txt"]}`, `ignore: "*.txt"; ignore: "dcos/**"`},
		"features": {
			`{"features":{"pay":["services/pay/**","servcies/pay/**"],"x":["x"]}}`,
			`features.pay: "servcies/pay/**"; features.x: "x"`,
		},
		"context": {
			`{"context":["docs/*.md","DESIGN.md","adr/"]}`, `context: "DESIGN.md"; context: "adr/"`,
		},
		"of the head alone": {`{"context":["new/*.md"],"ignore":["new/*.md"]}`, `context: "new/*.md"`},
		"paths": {
			`{"paths":{"spec":["specs/*/*.md","rfcs/*.md"],"tests":["qa/**"]}}`,
			`paths.spec: "rfcs/*.md"; paths.tests: "qa/**"`,
		},
		"of a project": {`{"roots":["packages/*"],"paths":{"tests":["qa/**"]}}`, ""},
		"prompts": {
			`{"prompts":{"spec":{"schema":"Workflow/good.md"},"tests":{"role":"Workflow/bad.md"}}}`,
			`prompts.tests: "Workflow/bad.md"`,
		},
		"protect": {
			`{"integrity":{"protect":["ROADMAP.md","scripts/test.sh"]}}`, `integrity.protect: "scripts/test.sh"`,
		},
		"nothing set": {`{}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, with(base, map[string]string{".workflow/config.json": c.config}), pr, codextest.Always(answer("APPROVED")))
			o := w.run(w.pull("opened"))
			o.ends(0, "APPROVED")
			var got []string
			for line := range strings.Lines(o.stdout) {
				_, text, ok := strings.Cut(line, "::warning file=.workflow/config.json::")
				if ok && strings.Contains(text, "matches no file") {
					got = append(got, strings.Split(text, " matches no file")[0])
				}
			}
			slices.Sort(got)
			if strings.Join(got, "; ") != c.warned {
				t.Errorf("warned of %q, want %q\n%s", got, c.warned, o.stdout)
			}
		})
	}
}

// TestExceptionsOfNothing: an exception for a file that is gone is named.
func TestExceptionsOfNothing(t *testing.T) {
	t.Parallel()
	allow := `[{"rule":"process-exit","path":"tools/*.py","reason":"it is a tool","expiry":"2099-01-01"},` +
		`{"rule":"process-exit","path":"src/*.py","reason":"it is a tool","expiry":"2099-01-01"}]`
	w := newWorld(t, with(adderMain(true), map[string]string{".workflow/integrity-allow.json": allow}),
		map[string]string{"src/adder.py": adderCode}, nil)
	o := w.run(w.pull("opened"))
	if !strings.Contains(o.stdout, `.workflow/integrity-allow.json, process-exit: "tools/*.py" matches no file`) ||
		strings.Contains(o.stdout, `"src/*.py" matches no file`) {
		t.Errorf("it does not say so:\n%s", o.stdout)
	}
}

// TestContextByPattern: what the entries name is what reviewers are shown, from the base.
func TestContextByPattern(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{
		"ROADMAP.md": roadmap, ".workflow/config.json": `{"context":["docs/rules/","notes/*.md","CLAUDE.md","data/**"]}`,
		"docs/rules/a.md": "RULE A\n", "docs/rules/deep/b.txt": "RULE B\n", "docs/rules/c.png": "\x89PNG\x00\n", "docs/other.md": "OTHER\n",
		"notes/d.md": "RULE D\n", "notes/deep/e.md": "OTHER E\n", "CLAUDE.md": "RULE F\n",
		"AGENTS.md": "OTHER G\n", "data/h.yaml": "RULE H\n",
	}, map[string]string{"specs/proposed/login.md": goodSpec, "notes/evil.md": "EVIL\n"}, codextest.Always(answer("APPROVED")))
	w.run(w.pull("opened")).ends(0, "APPROVED")
	prompt := w.model.Requests()[0].Prompt
	for _, want := range []string{"RULE A", "RULE B", "RULE D", "RULE F", "RULE H"} {
		if strings.Count(prompt, want) != 1 {
			t.Errorf("%q stands %d times in the prompt", want, strings.Count(prompt, want))
		}
	}
	for _, not := range []string{"OTHER", "EVIL", "PNG"} {
		if strings.Contains(prompt, not) {
			t.Errorf("%q stands in the prompt:\n%s", not, prompt)
		}
	}
}

// TestIgnoredFolder: a folder in the list takes all that is in it out of review.
func TestIgnoredFolder(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"ROADMAP.md": roadmap, ".workflow/config.json": `{"ignore":["examples"]}`},
		map[string]string{"examples/src/login.py": "def login():\n    return 1\n"}, nil)
	o := w.run(w.pull("opened"))
	o.ends(0, "NONE")
}

// TestFormOfReviews: the project's own description of its reviews reaches the reviewer, and what no review uses is named.
func TestFormOfReviews(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{
		"ROADMAP.md": roadmap, "Workflow/schema-review.md": "\ufeff# Reviews\n\n## Report format\n\nName the STRENGTHS first.\n",
		"Workflow/schema-review-request.md": "# Requests\n", "Workflow/schema-specification.md": "# Specs\n",
		"Workflow/role-spec-reviewer.md": "# Role\n\nYou review specs.\n", "Workflow/role-spec-writer.md": "# Writer\n",
		"Workflow/README.md": "# Docs\n",
	}, map[string]string{"specs/proposed/login.md": goodSpec}, codextest.Always(answer("APPROVED")))
	o := w.run(w.pull("opened"))
	o.ends(0, "APPROVED")
	if r := w.model.Requests()[0]; !strings.Contains(r.Instructions+r.Prompt, "Name the STRENGTHS first.") ||
		strings.Contains(r.Instructions+r.Prompt, "# Requests") {
		t.Errorf("the prompt is\n%s\n%s", r.Instructions, r.Prompt)
	}
	for file, want := range map[string]bool{
		"Workflow/schema-review-request.md": true, "Workflow/schema-specification.md": true, "Workflow/schema-review.md": false,
		"Workflow/role-spec-reviewer.md": false, "Workflow/role-spec-writer.md": false, "Workflow/README.md": false,
	} {
		if said := strings.Contains(o.stdout, file+": not used"); said != want {
			t.Errorf("%s: said %t, want %t\n%s", file, said, want, o.stdout)
		}
	}
}

// TestPlansThatCannotBeRead: a plan whose criteria are missing from the list is named, with why.
func TestPlansThatCannotBeRead(t *testing.T) {
	t.Parallel()
	const at = ".workflow/.team-plan/login/plan.json"
	good := `{"tasks":[{"id":"T1","title":"Lock","acceptance":["It locks after five tries."]}]}`
	code := map[string]string{"src/login.py": "def login(email, password):\n    return email\n"}
	for name, c := range map[string]struct {
		plan string // "" for none
		more string // of the spec
		says string
		list bool // it is in the list of requirements
	}{
		"good":            {good, "", "", true},
		"byte order mark": {"\ufeff" + good, "", "", true},
		"broken":          {good[:40], "", "unexpected end of JSON input", false},
		"another form":    {`{"tasks":{"T1":{"acceptance":["It locks."]}}}`, "", "cannot unmarshal", false},
		"no criteria":     {`{"tasks":[{"id":"T1","title":"Lock"}]}`, "", `no task has "acceptance"`, false},
		"a pointer":       {pointer, "", "Git LFS pointer", false},
		"none":            {"", "", "", false},
		"named and missing": {
			"", "\nPlan: .workflow/.team-plan/TLS-7/plan.json", ".workflow/.team-plan/TLS-7/plan.json not found",
			false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			main := map[string]string{"ROADMAP.md": roadmap, "specs/doing/login.md": goodSpec + c.more}
			if c.plan != "" {
				main[at] = c.plan
			}
			w := newWorld(t, main, code, codextest.Always(answer("APPROVED")))
			o := w.run(w.pull("opened"))
			text := o.saved(o.reviews()[0].Path)
			if !strings.Contains(text, c.says) || strings.Contains(text, "plan.json") != (c.plan != "" || c.says != "") {
				t.Errorf("the review does not say %q:\n%s", c.says, text)
			}
			if listed := strings.Contains(w.model.Requests()[0].Prompt, "T1.1: It locks"); listed != c.list {
				t.Errorf("in the list: %t", listed)
			}
		})
	}
}

// TestDocumentsThatAreNotRead: what a check of form cannot read is named where it counts.
func TestDocumentsThatAreNotRead(t *testing.T) {
	t.Parallel()
	latin := "# Quality\n\n## Caf\xe9\n\nIt is open.\n"
	for name, c := range map[string]struct {
		main, pr map[string]string
		says     []string
	}{
		"a spec in another encoding": {
			map[string]string{"specs/doing/login.md": goodSpec + latin},
			map[string]string{"src/login.py": "def login(email):\n    return email\n"},
			[]string{"specs/doing/login.md: criteria are missing from the list of requirements: it is not UTF-8"},
		},
		"an RFC in another format": {
			with(adderMain(true), map[string]string{"rfcs/approved/7.docx": "PK", "rfcs/approved/8.md": pointer}),
			map[string]string{"src/adder.py": adderCode},
			[]string{
				"rfcs/approved/7.docx: This RFC permits nothing: only .md",
				"rfcs/approved/8.md::This RFC permits nothing: it is a Git LFS",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, with(map[string]string{"ROADMAP.md": roadmap}, c.main), c.pr, nil)
			o := w.run(w.pull("opened"))
			text := o.stdout + o.saved("report.json")
			for _, r := range o.reviews() {
				text += o.saved(r.Path)
			}
			for _, want := range c.says {
				if !strings.Contains(text, want) {
					t.Errorf("it does not say %q:\n%s", want, text)
				}
			}
		})
	}
}

// TestBundleDocumentsThatAreNotRead: a document that is there and says nothing is not called missing alone.
func TestBundleDocumentsThatAreNotRead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, text, says string }{
		"a pointer": {"requirements/REQ-001-stock.md", pointer, "it is a Git LFS pointer"},
		"empty":     {"requirements/REQ-009-empty.md", "\n", "it is empty"},
		"too large": {
			"architecture/ADR-009-large.md", strings.Repeat("# Large\n", 40_000), "it is larger than 256 KiB",
		},
		"no UTF-8":   {"epics/EPIC-009-latin.md", "# Caf\xe9\n", "it is not UTF-8"},
		"with a BOM": {"spec-config.json", "\ufeff{\"session_id\": \"S-1\", \"topic\": \"Stock\"}", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, map[string]string{".workflow/config.json": config},
				bundleIn("specs/login", map[string]string{c.file: c.text}), nil)
			o := w.run(w.pull("opened"))
			text := o.saved("report.json")
			if c.says != "" && !strings.Contains(text, "Not read: "+c.file+", "+c.says) || strings.Contains(text, "is not a JSON object") {
				t.Errorf("it does not say %q:\n%s", c.says, text)
			}
		})
	}
}
