package rules_test

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"

	"workflow-reviewer/internal/review/rules"
	"workflow-reviewer/internal/workflow"
)

// found lists the issues of one rule.
func found(t *testing.T, in rules.Input, id string) []workflow.Issue {
	t.Helper()
	for _, c := range rules.Check(context.Background(), in) {
		if c.ID == id && c.Outcome == workflow.Noted && len(c.Issues) == 0 {
			return []workflow.Issue{{Title: c.Summary, Severity: "counted"}}
		}
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
	old := head["tests/test_old.py"]
	delete(head, "tests/test_old.py")
	in := input(workflow.Tests, nil, head, "tests/test_new.py")
	in.Artifact.SpecPath = "specs/doing/export.md"
	if got := found(t, in, "tests/spec-criteria-uncovered"); len(got) != 1 || got[0].Title != "No test cites AC-3 (tests/test_new.py)" {
		t.Errorf("no other tests: %v, want one issue, of AC-3 alone", got)
	}
	head["tests/test_old.py"] = old
	in = input(workflow.Tests, nil, head, "tests/test_new.py")
	in.Artifact.SpecPath, in.Artifact.Tests = "specs/doing/export.md", []string{"tests/gone.py"}
	if got := found(t, in, "tests/spec-criteria-uncovered"); len(got) != 0 {
		t.Errorf("covered by another test: %v", got)
	}
	before := maps.Clone(head)
	delete(before, "tests/test_old.py")
	delete(head, "tests/test_old.py")
	head["tests/test_other.py"] = "def test_other():\n    assert other() == 1\n"
	in = input(workflow.Tests, before, head, "tests/test_other.py")
	in.Artifact.SpecPath, in.Artifact.Tests = "specs/doing/export.md", []string{"tests/test_new.py"}
	if got := found(t, in, "tests/spec-criteria-uncovered"); len(got) != 0 {
		t.Errorf("tests of something else: %v", got)
	}
}

// TestHelpersAssert: tests that leave the comparing to a helper of theirs are
// not told that they compare nothing.
func TestHelpersAssert(t *testing.T) {
	const file = "src/test/java/a/TimeTest.java"
	test := "class TimeTest {\n  @Test\n  void hours() {\n    roundTrip(\"1h\");\n  }\n\n  @Test\n  void none() {\n    load(\"0h\");\n" +
		"  }\n\n  @Test\n  void day() {\n    load(\"1d\");\n  }\n%s}\n"
	helpers := "\n  void roundTrip(String s) {\n    twice(s);\n  }\n\n  void load(String s) {\n    Time.of(s);\n  }\n\n" +
		"  void twice(String s) {\n    assertThat(Time.of(s).text()).isEqualTo(s);\n  }\n"
	if got := found(t, input(workflow.Tests, nil, map[string]string{file: fmt.Sprintf(test, helpers)}, file),
		"tests/no-assertion"); len(got) != 0 {
		t.Errorf("%+v, want none: the first test compares", got)
	}
	got := found(t, input(workflow.Tests, nil, map[string]string{file: fmt.Sprintf(test, "")}, file), "tests/no-assertion")
	if len(got) != 1 || got[0].Line != 2 || got[0].Severity != workflow.High {
		t.Errorf("%+v, want one issue at the first test", got)
	}
	mock := "public class BoxTests {\n" + strings.Repeat("  [Fact]\n  public void Opens() {\n    box.Open();\n"+
		"    lid.Received(1).Lift();\n  }\n", 3) + "}\n"
	if got := found(t, input(workflow.Tests, nil, map[string]string{"BoxTests.cs": mock}, "BoxTests.cs"),
		"tests/no-assertion"); len(got) != 0 {
		t.Errorf("mock that checks its calls: %+v", got)
	}
}

// TestSeverityOfStubsLeft: what may be meant to stay does not block.
func TestSeverityOfStubsLeft(t *testing.T) {
	for file, tt := range map[string]struct {
		src  string
		want workflow.Severity
	}{
		"a.rs": {"fn f() -> u8 {\n    todo!()\n}\n", workflow.Medium},
		"b.rs": {"fn f() -> u8 {\n    unimplemented!()\n}\n", "counted"},
		"a.ts": {"export class A {\n  f(): void {\n    throw new NotImplementedError('f');\n  }\n}\n", workflow.Medium},
	} {
		got := found(t, input(workflow.Implementation, nil, map[string]string{file: tt.src}, file), "code/stub-left")
		if len(got) != 1 || got[0].Severity != tt.want {
			t.Errorf("%s: %+v, want one %s issue", file, got, tt.want)
		}
	}
}

// TestNoAssertionByLanguage: three tests that assert nothing are told, at the
// first, and not where another one asserts.
func TestNoAssertionByLanguage(t *testing.T) {
	for file, tt := range map[string]struct{ begin, silent, asserts, end string }{
		"a_test.go": {
			"package a\n", "func Test%d(t *testing.T) {\n\trun()\n}\n", "func TestZ(t *testing.T) {\n\tcheckAll(t, 1)\n}\n",
			"",
		},
		"a.test.ts": {
			"\n", "test('a%d', async () => {\n  await run();\n});\n",
			"test.each([1])('b', (n) => {\n  expect(n).toBe(1);\n});\n", "",
		},
		"ATest.java": {"class ATest {\n", "@Test void a%d() {\n  run();\n}\n", "@Test void b() {\n  assertEquals(1, run());\n}\n", "}\n"},
		"ATests.cs": {
			"class ATests {\n", "[Fact] public void A%d() {\n  Run();\n}\n",
			"[Fact] public void B() {\n  Assert.Equal(1, Run());\n}\n", "}\n",
		},
		"a_spec.rb":  {"describe A do\n", "  it 'a%d' do\n    run\n  end\n", "  it 'b' do\n    expect(run).to eq(1)\n  end\n", "end\n"},
		"tests/a.rs": {"\n", "#[test]\nfn a%d() {\n    run();\n}\n", "#[test]\n#[should_panic]\nfn c() {\n    run();\n}\n", ""},
		"test_a.py":  {"\n", "def test_%d():\n    run()\n", "def test_z():\n    with pytest.raises(ValueError):\n        run()\n", ""},
		"test/b_t.rb": {
			"class BTest < Minitest::Test\n", "  def test_%d\n    run_it\n  end\n",
			"  def test_z\n    assert_equal 1, f\n  end\n", "end\n",
		},
	} {
		silent := tt.begin
		for i := range 3 {
			silent += fmt.Sprintf(tt.silent, i)
		}
		for text, want := range map[string]int{silent + tt.end: 1, silent + tt.asserts + tt.end: 0} {
			got := found(t, input(workflow.Tests, nil, one(file, text), file), "tests/no-assertion")
			if len(got) != want || want == 1 && (got[0].Line > 3 || got[0].Title != "None of the 3 tests asserts anything") {
				t.Errorf("%s: %+v, want %d:\n%s", file, got, want, text)
			}
		}
	}
}

// TestOtherEncoding: code that is in another encoding is read, and so what is wrong in
// it found, as is what held zero bytes before; what was text and is none now is not.
func TestOtherEncoding(t *testing.T) {
	const file = "src/a.py"
	const text, latin, zero = "x = 'café'\neval(rule)\n", "x = 'caf\xe9'\neval(rule)\n", "x = '\x00'\neval(rule)\n"
	for name, c := range map[string]struct {
		before map[string]string
		after  string
		want   workflow.Severity
	}{
		"as before": {one(file, "x = 'caf\xe9'\n"), latin, "counted"}, "new": {nil, latin, "counted"},
		"was UTF-8": {one(file, "x = 'café'\n"), latin, workflow.High}, "zeros as before": {one(file, "y = '\x00'\n"), zero, "counted"},
		"new zeros": {nil, zero, workflow.High}, "zeros in a text": {one(file, text), zero, workflow.High},
	} {
		in := input(workflow.Implementation, c.before, one(file, c.after), file)
		if got := found(t, in, "artifact/unreadable"); len(got) != 1 || got[0].Severity != c.want {
			t.Errorf("%s: %+v, want one of severity %s", name, got, c.want)
		}
		if got := found(t, in, "code/dynamic-code"); c.want == "counted" && len(got) != 1 {
			t.Errorf("%s: %+v, want eval to be found", name, got)
		}
	}
}

// TestOnceARun: a finding that is made once a run names the places of the others.
func TestOnceARun(t *testing.T) {
	var artifacts []workflow.Artifact
	var checks [][]workflow.Check
	for _, feature := range []string{"export", "import", "login"} {
		path := "src/" + feature + ".py"
		in := input(workflow.Implementation, nil, with(one("specs/doing/"+feature+".md", criteria), path, lengthy,
			"tests/test_login_page.py", "import page\n\n\ndef test_page():\n    assert page\n"), path)
		in.Artifact.SpecPath, in.Artifact.Feature = "specs/doing/"+feature+".md", feature
		artifacts, checks = append(artifacts, in.Artifact), append(checks, rules.Check(t.Context(), in))
	}
	rules.OnceARun(artifacts, checks)
	var issues []workflow.Issue
	for _, c := range checks {
		check := find(t, c, "implementation/no-tests")
		issues = append(issues, check.Issues...)
		if check.Outcome != workflow.Noted {
			t.Errorf("%s: %s", check.Summary, check.Outcome)
		}
	}
	if len(issues) != 1 || !strings.Contains(issues[0].Description, "Also src/import.py, src/login.py.") {
		t.Errorf("%+v, want one issue that names the others", issues)
	}
}
