package rules_test

import (
	"context"
	"fmt"
	"testing"

	"workflow-reviewer/internal/review/rules"
	"workflow-reviewer/internal/workflow"
)

// found lists the issues of one rule.
func found(t *testing.T, in rules.Input, id string) []workflow.Issue {
	t.Helper()
	for _, c := range rules.Check(context.Background(), in) {
		if c.ID == id {
			return c.Issues
		}
	}
	t.Fatalf("no check %s", id)
	return nil
}

// TestCommentsDoNotTouchATest: who mends a comment is not asked to mend the
// test around it.
func TestCommentsDoNotTouchATest(t *testing.T) {
	const file = "src/test/java/a/SpeedTest.java"
	before := "class SpeedTest {\n  @Test\n  void placeholder() {\n    // keeps the runer quiet\n  }\n}\n"
	after := "class SpeedTest {\n  @Test\n  void placeholder() {\n    // keeps the runner quiet\n  }\n}\n"
	changed := input(workflow.Tests, map[string]string{file: before}, map[string]string{file: after}, file)
	if got := found(t, changed, "tests/empty"); len(got) != 0 {
		t.Errorf("comment mended: %v", got)
	}
	if got := found(t, input(workflow.Tests, nil, map[string]string{file: after}, file), "tests/empty"); len(got) != 1 {
		t.Errorf("new test: %v, want one issue", got)
	}
}

// TestOtherTestsCoverCriteria: not every criterion must be cited by the very tests
// that a change touches.
func TestOtherTestsCoverCriteria(t *testing.T) {
	head := map[string]string{
		"specs/doing/export.md": "# Export\n\n## Acceptance criteria\n\n- AC-1: a\n- AC-2: b\n- AC-3: c\n- SC-001: d\n",
		"tests/test_new.py":     "def test_header():\n    \"\"\"AC1, ac_2\"\"\"\n    assert header() == 'a'\n",
		"tests/test_old.py":     "def test_ac3():\n    assert read(export(';')) == ';'\n",
	}
	in := input(workflow.Tests, nil, head, "tests/test_new.py")
	in.Artifact.SpecPath = "specs/doing/export.md"
	if got := found(t, in, "tests/spec-criteria-uncovered"); len(got) != 1 || got[0].Title != "No test cites AC-3" {
		t.Errorf("no other tests: %v, want one issue, of AC-3 alone", got)
	}
	in.Artifact.Tests = []string{"tests/test_old.py", "tests/gone.py"}
	if got := found(t, in, "tests/spec-criteria-uncovered"); len(got) != 0 {
		t.Errorf("covered by another test: %v", got)
	}
}

// TestHelpersAssert: tests that leave the comparing to a helper of theirs are
// not told that they compare nothing.
func TestHelpersAssert(t *testing.T) {
	const file = "src/test/java/a/TimeTest.java"
	test := "class TimeTest {\n  @Test\n  void hours() {\n    roundTrip(\"1h\");\n  }\n\n  @Test\n  void none() {\n    load(\"0h\");\n  }\n%s}\n"
	helpers := "\n  void roundTrip(String s) {\n    twice(s);\n  }\n\n  void load(String s) {\n    Time.of(s);\n  }\n\n" +
		"  void twice(String s) {\n    assertThat(Time.of(s).text()).isEqualTo(s);\n  }\n"
	got := found(t, input(workflow.Tests, nil, map[string]string{file: fmt.Sprintf(test, helpers)}, file), "tests/no-assertion")
	if len(got) != 1 || got[0].Line != 7 || got[0].Severity != workflow.Medium {
		t.Errorf("%+v, want the second test alone", got)
	}
	got = found(t, input(workflow.Tests, nil, map[string]string{file: fmt.Sprintf(test, "")}, file), "tests/no-assertion")
	if len(got) != 2 || got[0].Severity != workflow.High {
		t.Errorf("%+v, want both tests", got)
	}
	mock := "public class BoxTests {\n  [Fact]\n  public void Opens() {\n    box.Open();\n    lid.Received(1).Lift();\n  }\n}\n"
	if got := found(t, input(workflow.Tests, nil, map[string]string{"BoxTests.cs": mock}, "BoxTests.cs"), "tests/no-assertion"); len(got) != 0 {
		t.Errorf("mock that checks its calls: %+v", got)
	}
}

// TestSeverityOfStubsLeft: what may be meant to stay does not block.
func TestSeverityOfStubsLeft(t *testing.T) {
	for file, tt := range map[string]struct {
		src  string
		want workflow.Severity
	}{
		"a.rs": {"fn f() -> u8 {\n    todo!()\n}\n", workflow.High},
		"b.rs": {"fn f() -> u8 {\n    unimplemented!()\n}\n", workflow.Medium},
		"a.ts": {"export class A {\n  f(): void {\n    throw new NotImplementedError('f');\n  }\n}\n", workflow.High},
	} {
		got := found(t, input(workflow.Implementation, nil, map[string]string{file: tt.src}, file), "code/stub-left")
		if len(got) != 1 || got[0].Severity != tt.want {
			t.Errorf("%s: %+v, want one %s issue", file, got, tt.want)
		}
	}
}
