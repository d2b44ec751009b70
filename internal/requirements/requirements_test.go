package requirements_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/requirements"
)

func TestFromMarkdown(t *testing.T) {
	for _, tt := range []struct{ name, doc, want string }{
		{"numbered", `
# Login

## Acceptance criteria

Intro:

1. A wrong password is refused.
   - with status 401
2. [ ] Five failures lock the account.

## Notes

1. not one
`, `
1 numbered 8 A wrong password is refused.; with status 401
2 numbered 10 Five failures lock the account.`},
		{"own ids anywhere", `
## Requirements

- **FR-001**: System MUST export CSV
- **FR-002** (P1): It MUST quote separators
- NFR-2 – Ends within 2 s
- US1 depends on nothing

| ID | Requirement |
|----|-------------|
| AC12 | Rows keep their order |
| REQ-AUTH-001 | Tokens expire |

### RT-R1: Structured Review Submission
The tool MUST accept a payload.

## Traceability

| FR-001 | test_a |
`, `
FR-001 identified 4 System MUST export CSV
FR-002 identified 5 It MUST quote separators
NFR-2 identified 6 Ends within 2 s
AC12 identified 11 Rows keep their order
REQ-AUTH-001 identified 12 Tokens expire
RT-R1 identified 14 Structured Review Submission; The tool MUST accept a payload.`},
		{"check list", `
**Acceptance Criteria:**

- [x] One
- [ ] Two
- ~~Three~~
`, "\n1 listed 4 One\n2 listed 5 Two"},
		{"scenarios of the seed", `
## Acceptance Criteria

### Scenario: Successful Review Creation
- **WHEN** Codex calls
- **THEN** the file is created
- **THEN** the issues are listed

### Scenario: Validation
- **WHEN** the tool is called with junk
- **THEN** it returns an error
`, `
1 scenario 4 Successful Review Creation; WHEN Codex calls; THEN the file is created; THEN the issues are listed
2 scenario 9 Validation; WHEN the tool is called with junk; THEN it returns an error`},
		{"steps in lists", `
## Acceptance criteria

- Given a user
- When she logs in
- Then a token is returned
- Given no user
- When she logs in
- Then it is refused
- When a file is large, it is refused.
`, `
1 scenario 4 Given a user; When she logs in; Then a token is returned
2 scenario 7 Given no user; When she logs in; Then it is refused
3 listed 10 When a file is large, it is refused.`},
		{
			"gherkin fence", "\n## Scenarios\n\n```gherkin\nFeature: x\n\nScenario: One\n  Given a\n  When b\n  Then c\n\n" +
				"Scenario Outline: Two\n  Given d\n  When e\n  Then f\n```\n",
			"\n1 scenario 7 One; Given a; When b; Then c\n2 scenario 12 Two; Given d; When e; Then f",
		},
		{"openspec", `
## ADDED Requirements

### Requirement: Two-Factor
The system SHALL ask for a second factor.

#### Scenario: OTP required
- **WHEN** valid credentials are given
- **THEN** an OTP is asked for

#### Scenario: OTP wrong
- **WHEN** it is wrong
- **THEN** it is refused

### Requirement: Audit
Each login SHALL be logged.

## REMOVED Requirements

### Requirement: Old
Gone.
`, `
1.1 scenario 7 OTP required; WHEN valid credentials are given; THEN an OTP is asked for
1.2 scenario 11 OTP wrong; WHEN it is wrong; THEN it is refused
2 identified 15 Audit; Each login SHALL be logged.`},
		{"kiro", `
### Requirement 1: Login

**User Story:** As a user I want in.

#### Acceptance Criteria

1. WHEN a password is wrong THEN the system SHALL refuse it
2. IF it fails five times THEN the system SHALL lock the account

### Requirement 2

#### Acceptance Criteria

1. THE system SHALL log
`, `
1.1 numbered 8 WHEN a password is wrong THEN the system SHALL refuse it
1.2 numbered 9 IF it fails five times THEN the system SHALL lock the account
2.1 numbered 15 THE system SHALL log`},
		{"spec-kit", `
## User Scenarios & Testing *(mandatory)*

### User Story 1 - Export (Priority: P1)

As a user I export.

**Why this priority**: It is the core.

**Independent Test**: Export one.

**Acceptance Scenarios**:

1. **Given** a table, **When** it is exported, **Then** a file is there
2. **Given** none, **When** it is exported, **Then** it is refused

### User Story 2 - Import (Priority: P2)

**Acceptance Scenarios**:

1. **Given** a file, **When** it is imported, **Then** a table is there

### Edge Cases

- What happens when the disk is full?

## Requirements

### Functional Requirements

- **FR-001**: System MUST export

## Success Criteria

### Measurable Outcomes

- **SC-001**: 95 % end in 2 s
`, `
US1.1 numbered 14 Given a table, When it is exported, Then a file is there
US1.2 numbered 15 Given none, When it is exported, Then it is refused
US2.1 numbered 21 Given a file, When it is imported, Then a table is there
FR-001 identified 31 System MUST export
SC-001 identified 37 95 % end in 2 s`},
		{"dotted paragraphs and repeated numbers", `
## Acceptance Criteria

1.1 WHEN a THEN b
1.2 WHEN c THEN d

**More:**

1. e
1. f

## Definition of done

1. g
`, `
1.1 identified 4 WHEN a THEN b
1.2 identified 5 WHEN c THEN d
1 numbered 9 e
2 numbered 10 f
1-2 numbered 14 g`},
		{
			"paragraphs", "\n## Acceptance criteria\n\nIt ends with status 0.\n\nIt prints nothing.\n",
			"\n1 listed 4 It ends with status 0.\n2 listed 6 It prints nothing.",
		},
		{
			"story with id", "\n### US-2: Login\n\nAcceptance criteria:\n\n- a\n- b\n\n### AC-7: Logout\n\nThe session ends.\n",
			"\nUS-2.1 listed 6 a\nUS-2.2 listed 7 b\nAC-7 identified 9 Logout; The session ends.",
		},
		{
			"numbered scenarios", "\n## Scenarios\n\n### Scenario 2: No dependencies\n\nGiven:\n- a\n\nThen:\n- b\n",
			"\nS2 scenario 4 No dependencies; Given; a; Then; b",
		},
		{"out of scope", "\n## Out of scope\n\n- FR-009: Everything\n", ""},
		{"numbered demands", `
## Requirements

### 1. A caller learns their own standing

- **1.1** The service shall name the tenants, each
  with its role.
- **1.2** If a tenant is not active, the service shall omit it.
- 1.3 is told below
`, `
1.1 identified 6 The service shall name the tenants, each with its role.
1.2 identified 8 If a tenant is not active, the service shall omit it.`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			list, _ := requirements.FromMarkdown("spec.md", []byte(tt.doc))
			if diff := cmp.Diff(tt.want, told(list)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func told(list []requirements.Requirement) string {
	var b strings.Builder
	for _, r := range list {
		fmt.Fprintf(&b, "\n%s %s %d %s", r.ID, r.Kind, r.Line, r.Text)
	}
	return b.String()
}

func TestFromPlan(t *testing.T) {
	plan := "{\"tasks\": [\n{\"title\": \"Export\", \"acceptance\": [\"writes a file\",\n\"refuses none\"]},\n" +
		"{\"id\": \"IMPL-2\", \"acceptance\": [\"reads it\"]}]}"
	list, _ := requirements.FromPlan("plan.json", []byte(plan))
	want := "\nT1.1 identified 2 writes a file (Export)\nT1.2 identified 3 refuses none (Export)\nIMPL-2.1 identified 4 reads it"
	if diff := cmp.Diff(want, told(list)); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []string{"", "[]", `{"tasks": 1}`, `{"tasks":[{"acceptance":[1]}]}`} {
		if list, _ := requirements.FromPlan("plan.json", []byte(bad)); list != nil {
			t.Errorf("%s: %v", bad, list)
		}
	}
}

func TestCompare(t *testing.T) {
	base, _ := requirements.FromMarkdown("s.md",
		[]byte("# A\n\n## Acceptance criteria\n\n1. Wrong passwords are refused.\n2. Five failures lock.\n3. Logged in `audit.log`\n"))
	head, _ := requirements.FromMarkdown("s.md",
		[]byte("# A\n\n## Acceptance criteria\n\n1. Wrong passwords may be refused.\n2. Logged in audit.log.\n3. New.\n"))
	changes := requirements.Compare(base, head)
	var got strings.Builder
	for _, c := range changes {
		after := "gone"
		if c.After != nil {
			after = c.After.Text
		}
		fmt.Fprintf(&got, "%s: %s -> %s\n", c.Before.ID, c.Before.Text, after)
	}
	want := "1: Wrong passwords are refused. -> Wrong passwords may be refused.\n2: Five failures lock. -> gone\n"
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
	list, _ := requirements.Counting(head, changes)
	if diff := cmp.Diff("\n1 numbered 5 Wrong passwords are refused.\n2 numbered 6 Logged in audit.log.\n3 numbered 7 New.\n"+
		"2-2 numbered 6 Five failures lock.", told(list)); diff != "" {
		t.Error(diff)
	}
}

func TestCaps(t *testing.T) {
	many := "# Acceptance criteria\n\n"
	for i := range 300 {
		many += fmt.Sprintf("%d. criterion %d\n", i+1, i)
	}
	if list, omitted := requirements.FromMarkdown("s.md", []byte(many)); len(list) != requirements.Max || omitted != 100 {
		t.Errorf("%d requirements, %d omitted", len(list), omitted)
	}
}

// TestHostile holds that a document costs no more than its size: 32 KiB of
// whatever end within seconds.
func TestHostile(t *testing.T) {
	for _, unit := range []string{
		"- Given a\n", "**Given:** a\n\n", "# Criteria\n**When:** a\n\n", "## AC-1: a\n",
		"# Requirement: a\n## b\n", "| AC1 | a |\n", "> - 1. FR-1: a\n", "AC-1: a\n", "Scenario: a\nGiven b\nThen c\n",
	} {
		t.Run(unit, func(t *testing.T) {
			t.Parallel()
			list, _ := requirements.FromMarkdown("s.md", []byte("# Acceptance criteria\n\n"+strings.Repeat(unit, 32<<10/len(unit))))
			if len(list) > requirements.Max {
				t.Errorf("%d requirements", len(list))
			}
		})
	}
}

// FuzzFromMarkdown holds what a ledger relies on: ids that are unique and safe,
// texts and lines within bounds.
func FuzzFromMarkdown(f *testing.F) {
	for _, s := range []string{
		"# Acceptance criteria\n\n1. a\n1. b\n", "- FR-001: a\n- FR-001: b\n", "### Requirement: x\n#### Scenario: y\n- WHEN a\n- THEN b\n",
		"|a|b|\n|-|-|\n|AC1|x|\n", "## Scenarios\n```\nScenario: a\nGiven b\nThen c\n```\n", "### Scenario:\n**Given:** a\n**Then:** b\n",
		"# criteria\n- Given a\n  - b\n- Then c",
	} {
		f.Add(s, s+"x")
	}
	f.Fuzz(func(t *testing.T, base, head string) {
		before, _ := requirements.FromMarkdown("s.md", []byte(base))
		after, _ := requirements.FromMarkdown("s.md", []byte(head))
		counting, _ := requirements.Counting(after, requirements.Compare(before, after))
		_, _ = requirements.FromPlan("p", []byte(base))
		for _, list := range [][]requirements.Requirement{before, after, counting} {
			ids := map[string]bool{}
			for _, r := range list {
				if r.ID == "" || len(r.ID) > 40 || ids[r.ID] || strings.ContainsAny(r.ID, " \n|`<") {
					t.Errorf("id %q", r.ID)
				}
				if ids[r.ID] = true; r.Text == "" || len([]rune(r.Text)) > requirements.MaxText || strings.Contains(r.Text, "\n") {
					t.Errorf("text %q", r.Text)
				}
				if r.Line < 1 || r.Line > strings.Count(base+head, "\n")+2 {
					t.Errorf("line %d", r.Line)
				}
			}
		}
	})
}

func TestTraces(t *testing.T) {
	list, _ := requirements.FromMarkdown("s.md",
		[]byte("## Acceptance criteria\n\n1. A wrong password is refused.\n2. Five failures lock the account.\n"+
			"3. `slugify(text)` drops accents.\n\n- AC12: Sessions expire.\n- FR-003: Logins are logged\n- REQ-AUTH-001: Tokens rotate\n"+
			"- US1.2: It ends\n"))
	traces := requirements.Traces(list, []requirements.Source{
		{Path: "t.py", Test: true, Text: []byte("def test_wrong_password_refused():\ndef test_ac12_sessions():\n# criterion 2\n" +
			"def test_lock():\ndef test_fr003():\nx = 12\n")},
		{Path: "t.ts", Test: true, Text: []byte("it('REQ-AUTH-1: rotates', () => {})\nit(\"locks the account after five failures\")\n" +
			"# us1_2\n")},
		{Path: "t.go", Test: true, Text: []byte("func TestAC12Expiry(t *testing.T) {}\nfunc TestFR3(t *testing.T)\n")},
		{Path: "s.py", Text: []byte("def slugify(text):\n    # FR-003\n    return 3\n# password of AC 1200\n")},
	})
	got := ""
	for i, tr := range traces {
		got += fmt.Sprintf("\n%s %s %s", list[i].ID, tr.Tests, tr.Code)
	}
	want := "\n1 [t.py:1] []\n2 [t.py:3 t.ts:2] []\n3 [] [s.py:1]\nAC12 [t.py:2 t.go:1] []\nFR-003 [t.py:5 t.go:2] [s.py:2]\n" +
		"REQ-AUTH-001 [t.ts:1] []\nUS1.2 [t.ts:3] []"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
