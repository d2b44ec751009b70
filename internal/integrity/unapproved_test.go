package integrity_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
)

// Tests of one line in its place, by the file that they are in.
var oneLine = map[string]string{
	"test/a.test.js":  "test('adds', async () => {\n  const x = await f();\n  expect(x).toBe(3);\n  %s\n});\n",
	"tests/test_a.py": "def test_sums(self):\n    x = f()\n    assert x == 3\n    %s\n",
	"spec/a_spec.rb":  "describe A do\n  it 'sums up' do\n    x = f\n    expect(x).to eq(3)\n    %s\n  end\nend\n",
	"src/test/java/ATest.java": "import org.junit.jupiter.api.*;\n" +
		"class ATest {\n  @Test\n  void sumsUp() {\n    int x = f();\n    %s\n  }\n}\n",
	"a_test.go":                   "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {\n\tx := f()\n\t%s\n}\n",
	"tests/ATests.cs":             "using Xunit;\npublic class ATests {\n  [Fact]\n  public void A() {\n    var x = F();\n    %s\n  }\n}\n",
	"tests/a.rs":                  "#[test]\nfn sums_up() {\n    let x = f();\n    assert_eq!(x, 3);\n    %s\n}\n",
	"tests/Feature/CartTest.php":  "<?php\nclass CartTest extends TestCase {\n  public function testA() {\n    $x = f();\n    %s\n  }\n}\n",
	"src/test/kotlin/CartTest.kt": "class CartTest {\n  @Test\n  fun a() {\n    val x = f()\n    %s\n  }\n}\n",
}

// TestLinesTakenAway: an assertion of whatever library that has nothing in its place is told.
func TestLinesTakenAway(t *testing.T) {
	for file, lines := range map[string][]string{
		"test/a.test.js": {
			"expect(screen.getByText('a')).toBeInTheDocument();", "await expect(page).toHaveURL('/a');", "t.is(x, 4); // no",
			"await request(app).get('/a').expect(200);", "res.should.have.status(200);", "cy.get('b').should('have.text', 'c');",
			"assertCart(x);", "verifyCart(x);", "const expected = 4; // no", "expected.push(4); // no", "x.save(); // no",
		},
		"tests/test_a.py": {
			"self.assertEqual(x, 4)", "pd.testing.assert_frame_equal(a, b)", "assert_that(x, equal_to(4))",
			"assert_cart(x)", "expected = 4  # no", "x.save()  # no",
		},
		"spec/a_spec.rb": {
			"expect(response).to have_http_status(:ok)", "expect { f }.to change { A.count }.by(1)", "is_expected.to be_valid",
			"expect_offense(x)", "x.save # no",
		},
		"src/test/java/ATest.java": {
			"verify(mock).save(4);", "mvc.perform(get(\"/a\")).andExpect(status().isOk());", "when(mock.save(4)).thenReturn(x); // no",
		},
		"a_test.go": {
			"require.Equal(t, 4, x)", "Expect(x).To(Equal(4))", "qt.Assert(t, x, qt.Equals, 4)",
			"x.Save() // no",
		},
		"tests/ATests.cs": {
			"mock.Verify(m => m.Save(4), Times.Once);", "x.ShouldBe(4);",
			"x.Save(); // no",
		},
		"tests/Feature/CartTest.php":  {"$this->assertSame(3, $x); // not parsed: no"},
		"src/test/kotlin/CartTest.kt": {"assertEquals(3, x) // not parsed: no"},
		"tests/a.rs":                  {"insta::assert_snapshot!(x);", "cmd.assert().success();", "x.save(); // no"},
	} {
		for _, line := range lines {
			base, head := maps.Clone(shopTests), maps.Clone(shopTests)
			base[file], head[file] = fmt.Sprintf(oneLine[file], line), strings.Replace(oneLine[file], "%s", "", 1)
			out := unapprovedOutcome(t, base, head)
			if told, want := len(out.Weakened), !strings.HasSuffix(line, " no"); want != (told == 1) || len(out.Breaches()) != 0 {
				t.Errorf("%s: %s: %+v", file, line, out.Weakened)
			}
		}
	}
}

// TestSkipsOfAnyRunner: a test that is skipped as runners do it that are not compared by structure is told.
func TestSkipsOfAnyRunner(t *testing.T) {
	js := fmt.Sprintf(oneLine["test/a.test.js"], "f();")
	for name, c := range map[string]struct{ file, base, old, now string }{
		"Playwright, a suite": {"test/a.test.js", "test.describe('S', () => {\n" + js + "});\n", "describe(", "describe.skip("},
		"Playwright, fixme":   {"test/a.test.js", js, "test(", "test.fixme("},
		"Playwright, fails":   {"test/a.test.js", js, "test(", "test.fail("},
		"Vitest, a suite":     {"test/a.test.js", "describe('S', () => {\n" + js + "});\n", "describe(", "describe.todo("},
		"QUnit":               {"test/a.test.js", "QUnit." + js, "QUnit.test(", "QUnit.skip("},
		"Deno":                {"test/a_test.ts", "Deno." + js, "Deno.test(", "Deno.test.ignore("},
		"a limit of before: no": {
			"a_test.go",
			"package a\n\nimport \"testing\"\n\n" +
				"func TestA(t *testing.T) {\n\tif f() > 30 {\n\t\tt.Skip(\"the file is too long\")\n\t}\n}\n",
			"> 30", "> max(5)", // what is longer is skipped as before
		},
		"thrown, in another form: no": {
			"tests/ATests.cs",
			"using Microsoft.VisualStudio.TestTools.UnitTesting;\npublic class ATests {\n  [TestMethod]\n  public void A() {\n" +
				"    Assert.ThrowsException<E>(() => F());\n  }\n}\n",
			"[TestMethod]\n  public void A() {\n    Assert.ThrowsException<E>(() => F());",
			"[TestMethod]\n  [ExpectedException(typeof(E))]\n  public void A() {\n    F();",
		},
		"what is measured: no": {
			"spec/rails_helper.rb", "SimpleCov.start 'rails' do\n  add_filter 'app/decorators/'\nend\n", "add_filter", "skip",
		},
		"an old runtime: no": {
			"tests/test_a.py",
			"import sys\nimport pytest\n\n\n@pytest.mark.skipif(\n    sys.version_info < (3, 9),\n    reason='old',\n)\n" +
				"def test_a():\n    assert f() == 1\n", "(3, 9)", "(3, 10)",
		},
		"a variable: no": {
			"a_test.go", "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {\n\tg()\n}\n", "\tg()",
			"\tset(\"DISABLED_TOOLS\")\n\tg()",
		},
		"a long title": {
			"test/a.test.js", strings.Replace(js, "'adds'", "'adds "+strings.Repeat("one number to another ", 40)+"'", 1),
			"test(", "test.skip(",
		},
		"a mark of several lines": {
			"tests/test_a.py", "import pytest\n\n\ndef test_a():\n    assert f() == 1\n", "def test_a",
			"@pytest.mark.skip(\n    reason='later, when the shop has moved to another town'\n)\ndef test_a",
		},
		"RSpec, after an error: no": {
			"spec/a_spec.rb", fmt.Sprintf(oneLine["spec/a_spec.rb"], "f"), "    f\n", "    f\n  rescue E => e\n    skip e.message\n",
		},
		"data: no":    {"test/a.test.js", js, "f();", "f({ skip: true });"},
		"a query: no": {"test/a.test.js", js, "f();", "await db.items.skip(1);"},
	} {
		base := maps.Clone(shopTests)
		base[c.file] = c.base
		head := maps.Clone(base)
		if head[c.file] = strings.Replace(c.base, c.old, c.now, 1); head[c.file] == c.base {
			t.Fatalf("%s changes nothing", name)
		}
		out := unapprovedOutcome(t, base, head)
		if want := !strings.HasSuffix(name, ": no"); want != (len(out.Weakened) == 1) || len(out.Breaches()) != 0 {
			t.Errorf("%s: %d weakened %+v", name, len(out.Weakened), out.Weakened)
		}
	}
}
