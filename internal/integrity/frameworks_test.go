package integrity_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/integrity/baseline"
)

const (
	playwright = "import { test, expect } from '@playwright/test';\n\ntest.describe('S', () => {\n" +
		"  test.beforeEach(async ({ page }) => {\n    await page.goto('/');\n  });\n\n" +
		"  test('a', async ({ page }) => {\n    await expect(page.getByText('a')).toBeVisible();\n  });\n});\n"
	qunit  = "QUnit.module('S', () => {\n  QUnit.test('a', assert => {\n    assert.equal(f(1), 1);\n  });\n});\n"
	deno   = "import { assertEquals } from 'jsr:@std/assert';\n\nDeno.test('a', () => {\n  assertEquals(f(1), 1);\n});\n"
	ginkgo = "package a_test\n\nimport (\n\t. \"github.com/onsi/ginkgo/v2\"\n\t. \"github.com/onsi/gomega\"\n)\n\n" +
		"var _ = Describe(\"S\", func() {\n\tIt(\"a\", func() {\n\t\tExpect(f(1)).To(Equal(1))\n\t})\n})\n"
	junit = "import org.junit.jupiter.api.*;\nimport static org.junit.jupiter.api.Assertions.*;\n\nclass ATest {\n  private A a;\n\n" +
		"  @BeforeEach\n  void setUp() {\n    a = new A();\n  }\n\n  @Test\n  void a() {\n    assertEquals(1, a.f(1));\n  }\n}\n"
	angular = "describe('S', () => {\n  let c: S;\n  let own: S;\n\n  beforeEach(() => {\n" +
		"    c = TestBed.createComponent(S).componentInstance;\n" +
		"    own = shared;\n  });\n\n  it('a', () => {\n    expect(c.sum()).toBe(1);\n  });\n});\n"
)

// TestFrameworks: in approved tests of these frameworks a test may be added and a title changed, and nothing
// may be skipped or taken away.
func TestFrameworks(t *testing.T) {
	for name, c := range map[string]struct {
		file, text, old, now string
		clean                bool
	}{
		"Playwright, a test": {"tests/a.spec.ts", playwright, "  });\n});\n", "  });\n\n  test('b', async ({ page }) => {\n" +
			"    await expect(page.getByText('b')).toBeVisible();\n  });\n});\n", true},
		"Playwright, a suite": {"tests/a.spec.ts", playwright, "  });\n});\n", "  });\n});\n\ntest.describe('T', () => {\n" +
			"  test('b', async ({ page }) => {\n    await expect(page).toHaveURL('/b');\n  });\n});\n", true},
		"Playwright, a title":     {"tests/a.spec.ts", playwright, "'S'", "'T'", false},
		"Playwright, skipped":     {"tests/a.spec.ts", playwright, "describe(", "describe.skip(", false},
		"Playwright, fixme":       {"tests/a.spec.ts", playwright, "test('a'", "test.fixme('a'", false},
		"Playwright, fails":       {"tests/a.spec.ts", playwright, "test('a'", "test.fail('a'", false},
		"Playwright, only":        {"tests/a.spec.ts", playwright, "test.describe('S'", "test.describe.only('S'", false},
		"Playwright, a hook less": {"tests/a.spec.ts", playwright, "    await page.goto('/');\n", "", false},
		"Playwright, less":        {"tests/a.spec.ts", playwright, "    await expect(page.getByText('a')).toBeVisible();\n", "", false},
		"Playwright, retries": {
			"tests/a.spec.ts", playwright, "test.describe(",
			"test.describe.configure({ retries: 3 });\n\ntest.describe(", false,
		},
		"QUnit, a test": {
			"test/a.test.js", qunit, "  });\n",
			"  });\n  QUnit.test('b', assert => {\n    assert.equal(f(2), 2);\n  });\n", true,
		},
		"QUnit, skipped":          {"test/a.test.js", qunit, "QUnit.test(", "QUnit.skip(", false},
		"QUnit, a module skipped": {"test/a.test.js", qunit, "module(", "module.skip(", false},
		"Deno, a test": {
			"tests/a_test.ts", deno, "});\n",
			"});\n\nDeno.test('b', () => {\n  assertEquals(f(2), 2);\n});\n", true,
		},
		"Deno, ignored": {"tests/a_test.ts", deno, "Deno.test(", "Deno.test.ignore(", false},
		"Ginkgo, a test": {
			"a_test.go", ginkgo, "\t})\n",
			"\t})\n\tIt(\"b\", func() {\n\t\tExpect(f(2)).To(Equal(2))\n\t})\n", true,
		},
		"Ginkgo, pending": {"a_test.go", ginkgo, "It(", "PIt(", false},
		"Ginkgo, focused": {"a_test.go", ginkgo, "It(", "FIt(", false},
		"Ginkgo, skipped": {"a_test.go", ginkgo, "\t\tExpect", "\t\tSkip(\"later\")\n\t\tExpect", false},
		"Ginkgo, less":    {"a_test.go", ginkgo, "\t\tExpect(f(1)).To(Equal(1))\n", "", false},
		"a field of what is new": {
			"a.spec.ts", angular, "  });\n});\n",
			"  });\n\n  it('b', () => {\n    c.rate = 2;\n    expect(c.sum()).toBe(2);\n  });\n});\n", false,
		},
		"a method of what is new": {
			"a.spec.ts", angular, "  });\n});\n",
			"  });\n\n  it('b', () => {\n    c.sum = () => 1;\n    expect(c.sum()).toBe(1);\n  });\n});\n", false,
		},
		"a constant for a field": {
			"a.spec.ts", angular, "  });\n});\n",
			"  });\n\n  it('b', () => {\n    const row = { rate: 2 };\n    c.row = row;\n    expect(c.sum()).toBe(2);\n  });\n});\n", false,
		},
		"a function by its name": {
			"a.spec.ts", angular, "  });\n});\n",
			"  });\n\n  it('b', () => {\n    const one = () => 1;\n    c.sum = one;\n    expect(c.sum()).toBe(1);\n  });\n});\n", false,
		},
		"an import for a method": {
			"a.spec.ts", angular, "  });\n});\n",
			"  });\n\n  it('b', () => {\n    c.sum = one;\n    expect(c.sum()).toBe(1);\n  });\n});\n", false,
		},
		"a field of what JUnit makes": {
			"src/test/java/ATest.java", junit, "  @Test\n",
			"  @Test\n  void b() {\n    a.rate = 2;\n    assertEquals(2, a.f(1));\n  }\n\n  @Test\n", false,
		},
		"a static field": {
			"src/test/java/ATest.java", junit, "  @Test\n",
			"  @Test\n  void b() {\n    A.rate = 2;\n    assertEquals(2, a.f(1));\n  }\n\n  @Test\n", false,
		},
		"a field of its prototype": {
			"a.spec.ts", angular, "  });\n});\n",
			"  });\n\n  it('b', () => {\n    c.constructor.prototype.rate = 2;\n    expect(c.sum()).toBe(2);\n  });\n});\n", false,
		},
		"a function under the name of data": {
			"a.spec.ts", angular, "  });\n});\n",
			"  });\n\n  it('b', () => {\n    const one = () => 1;\n    c.sum = one;\n    expect(c.sum()).toBe(1);\n  });\n\n" +
				"  it('d', () => {\n    const one = 1;\n    expect(one).toBe(1);\n  });\n});\n", false,
		},
		"a field of what is shared": {
			"a.spec.ts", angular, "  });\n});\n",
			"  });\n\n  it('b', () => {\n    own.rate = 2;\n    expect(own.sum()).toBe(2);\n  });\n});\n", false,
		},
	} {
		base := files{c.file: c.text}
		head := files{c.file: strings.Replace(c.text, c.old, c.now, 1)}
		if head[c.file] == c.text {
			t.Fatalf("%s changes nothing", name)
		}
		out := check(t, changetest.Set(base, base, head), nil, approvedAs(baseline.BaseRecord, base))
		if got := told(out); (len(out.Breaches()) == 0) != c.clean {
			t.Errorf("%s: %s: %+v", name, got, out.Breaches())
		}
	}
}
