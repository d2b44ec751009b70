package javascript_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/integrity/extract/extracttest"
)

func TestHonestChanges(t *testing.T) {
	t.Parallel()
	extracttest.Changes(t, "testdata/compare/cart.test.ts", []extracttest.Change{
		{Name: "comment", Old: "    total(cart.items);\n", New: "    // must not change it\n    total(cart.items);\n"},
		{Name: "layout", Old: "expect(total(cart.items)).toBe(6);", New: "expect(\n      total(cart.items),\n    ).toBe(6)"},
		{Name: "quotes", Old: `toThrow("unknown")`, New: "toThrow('unknown')"},
		{Name: "local renamed", Old: "const before = structuredClone(cart);\n    total(cart.items);\n    expect(cart).toEqual(before);\n    same(cart, before);", New: "const copy = structuredClone(cart);\n    total(cart.items);\n    expect(cart).toEqual(copy);\n    same(cart, copy);"},
		{Name: "test added", Old: `  it("is close"`, New: "  it(\"is new\", () => {\n    expect(total([7])).toBe(7);\n  });\n\n  it(\"is close\""},
		{Name: "assertion added", Old: "    expect(total([])).toBe(0);\n", New: "    expect(total([])).toBe(0);\n    expect(total([5])).toBe(5);\n"},
		{Name: "row added", Old: `    ["2", 200],`, New: "    [\"2\", 200],\n    [\"3\", 300],"},
		{Name: "case added", Old: `  { input: "12", cents: 1200 },`, New: "  { input: \"12\", cents: 1200 },\n  { input: \"13\", cents: 1300 },"},
		{Name: "stricter equality", Old: "expect(cart).toEqual(before)", New: "expect(cart).toStrictEqual(before)"},
		{Name: "stricter subset", Old: "toMatchObject({ rate: 1 })", New: "toEqual({ rate: 1 })"},
		{Name: "stricter tolerance", Old: "toBeCloseTo(0.3, 5)", New: "toBeCloseTo(0.3, 8)"},
		{Name: "stricter throw", Old: "toThrowError(/empty/)", New: "toThrowError(\"is empty\")"},
		{Name: "type hint", Old: "const before = structuredClone(cart)", New: "const before: typeof cart = structuredClone(cart)"},
		{Name: "type import", Old: "import * as rates", New: "import type { Rate } from \"../rates\";\nimport * as rates"},
		{Name: "imports in another order", Old: "import { total, load, parse } from", New: "import { load, parse, total } from"},
		{Name: "describe renamed", Old: `describe("cart"`, New: `describe("the cart"`},
		{Name: "test renamed", Old: `it("adds up"`, New: `it("adds the items up"`},
		{Name: "arrow body", Old: "it(\"follows the snapshot\", () => {\n    expect(cart).toMatchSnapshot();\n  });", New: "it(\"follows the snapshot\", () => expect(cart).toMatchSnapshot());"},
		{Name: "async test", Old: `it("adds up", () =>`, New: `it("adds up", async () =>`},
		{Name: "function expression", Old: `it("adds up", () => {`, New: `it("adds up", function () {`},
		{Name: "comparison written out", Old: "expect(total([1]) > 0).toBe(true)", New: "expect(total([1])).toBeGreaterThan(0)"},
		{Name: "alias of it", Old: `it("adds up"`, New: `test("adds up"`},
		{Name: "helper added", Old: "function same(", New: "function sum(a: number[]) {\n  return a.length;\n}\n\nfunction same("},
		{Name: "loop as forEach", Old: "  for (const { input, cents } of CASES) {\n    it(`parses ${input}`, () => {\n      expect(parse(input)).toBe(cents);\n    });\n  }", New: "  CASES.forEach(({ input, cents }) => {\n    it(`parses ${input}`, () => {\n      expect(parse(input)).toBe(cents);\n    });\n  });"},
		{Name: "cast", Old: "expect(total([])).toBe(0)", New: "expect(total([] as number[])!).toBe(0)"},
		{Name: "message", Old: "expect(total([])).toBe(0)", New: "expect(total([]), \"nothing\").toBe(0)"},
	})
}

func TestCheats(t *testing.T) {
	t.Parallel()
	extracttest.Changes(t, "testdata/compare/cart.test.ts", []extracttest.Change{
		{Name: "removed", Old: "    expect(total([])).toBe(0);\n", New: "", Want: []string{"assertion_removed 24 before"}},
		{Name: "commented out", Old: "    expect(total([])).toBe(0);", New: "    // expect(total([])).toBe(0);", Want: []string{"assertion_removed 24 before"}},
		{Name: "truthy", Old: "expect(total(cart.items)).toBe(6)", New: "expect(total(cart.items)).toBeTruthy()", Want: []string{"assertion_weakened 23 after"}},
		{Name: "defined", Old: "expect(total(cart.items)).toBe(6)", New: "expect(total(cart.items)).toBeDefined()", Want: []string{"assertion_weakened 23 after"}},
		{Name: "negated", Old: "expect(total(cart.items)).toBe(6)", New: "expect(total(cart.items)).not.toBe(0)", Want: []string{"assertion_weakened 23 after"}},
		{Name: "any", Old: "expect(total(cart.items)).toBe(6)", New: "expect(total(cart.items)).toEqual(expect.any(Number))", Want: []string{"assertion_weakened 23 after"}},
		{Name: "expected", Old: "expect(total(cart.items)).toBe(6)", New: "expect(total(cart.items)).toBe(7)", Want: []string{"expected_changed 23 after"}},
		{Name: "computed expected", Old: "expect(total(cart.items)).toBe(6)", New: "expect(total(cart.items)).toBe(total(cart.items))", Want: []string{"tautology|expected_changed|assertion_weakened 23 after"}},
		{Name: "tautology", Old: "expect(total(cart.items)).toBe(6)", New: "expect(6).toBe(6)", Want: []string{"tautology 23 after"}},
		{Name: "no matcher called", Old: "expect(total(cart.items)).toBe(6)", New: "expect(total(cart.items)).toBe", Want: []string{"assertion_weakened 23 after"}},
		{Name: "one of", Old: "expect(total(cart.items)).toBe(6)", New: "expect([6, 7]).toContain(total(cart.items))", Want: []string{"assertion_weakened 23 after"}},
		{Name: "or", Old: "expect(total(cart.items)).toBe(6)", New: "expect(total(cart.items) === 6 || true).toBe(true)", Want: []string{"tautology|assertion_weakened 23 after"}},
		{Name: "skip", Old: `it("adds up"`, New: `it.skip("adds up"`, Want: []string{"test_skipped 22 after"}},
		{Name: "xit", Old: `it("adds up"`, New: `xit("adds up"`, Want: []string{"test_skipped 22 after"}},
		{Name: "todo", Old: "it(\"follows the snapshot\", () => {\n    expect(cart).toMatchSnapshot();\n  });", New: "it.todo(\"follows the snapshot\");", Want: []string{"test_skipped 66 after", "assertion_removed 67 before"}},
		{Name: "skip option", Old: `it("adds up", () =>`, New: `it("adds up", { skip: true }, () =>`, Want: []string{"test_skipped 22 after"}},
		{Name: "skipIf", Old: `it("adds up"`, New: `it.skipIf(process.env.CI)("adds up"`, Want: []string{"test_skipped 22 after"}},
		{Name: "fails", Old: `it("adds up"`, New: `it.fails("adds up"`, Want: []string{"test_skipped 22 after"}},
		{Name: "only", Old: `it("adds up"`, New: `it.only("adds up"`, Want: []string{"test_focused 22 after"}},
		{Name: "suite skipped", Old: `describe("cart"`, New: `describe.skip("cart"`, Want: []string{"test_skipped 15 after"}},
		{Name: "retry", Old: `it("adds up", () =>`, New: `it("adds up", { retry: 5 }, () =>`, Want: []string{"retries_added 22 after"}},
		{Name: "context skip", Old: "it(\"adds up\", () => {\n", New: "it(\"adds up\", (ctx) => {\n    ctx.skip();\n", Want: []string{"test_skipped 23 after"}},
		{Name: "early return", Old: "it(\"adds up\", () => {\n", New: "it(\"adds up\", () => {\n    if (process.env.CI) return;\n", Want: []string{"early_return 23 after"}},
		{Name: "suite returns", Old: "  it(\"adds up\"", New: "  if (process.env.CI) return;\n  it(\"adds up\"", Want: []string{"early_return|test_uncollected|test_modified|test_skipped 22 after"}},
		{Name: "row dropped", Old: "    [\"1\", 100],\n", New: "", Want: []string{"params_dropped 41 before"}},
		{Name: "case dropped", Old: "  { input: \"0.05\", cents: 5 },\n", New: "", Want: []string{"params_dropped 7 before"}},
		{Name: "test deleted", Old: "  it(\"follows the snapshot\", () => {\n    expect(cart).toMatchSnapshot();\n  });\n", New: "", Want: []string{"test_deleted 66 before"}},
		{Name: "broader throw", Old: "toThrow(RangeError)", New: "toThrow()", Want: []string{"assertion_weakened 48 after"}},
		{Name: "base class", Old: "toThrow(RangeError)", New: "toThrow(Error)", Want: []string{"assertion_weakened 48 after"}},
		{Name: "tolerance", Old: "toBeCloseTo(0.3, 5)", New: "toBeCloseTo(0.3, 1)", Want: []string{"tolerance_widened 61 after"}},
		{Name: "no await", Old: `await expect(load("XXX"))`, New: `expect(load("XXX"))`, Want: []string{"assertion_weakened 55 after"}},
		{Name: "caught", Old: `rejects.toThrow("unknown");`, New: `rejects.toThrow("unknown").catch(() => {});`, Want: []string{"exception_swallowed|assertion_weakened 55 after"}},
		{Name: "try", Old: "    expect(total([])).toBe(0);", New: "    try {\n      expect(total([])).toBe(0);\n    } catch {}", Want: []string{"exception_swallowed 26 after"}},
		{Name: "stubbed", Old: `vi.spyOn(rates, "fetchRates");`, New: `vi.spyOn(rates, "fetchRates").mockResolvedValue({ rate: 1 });`, Want: []string{"test_modified 53 before", "mock_of_sut 53 after"}},
		{Name: "unit mocked", Old: "const CASES", New: "vi.mock(\"../cart\", () => ({ total: () => 6 }));\n\nconst CASES", Want: []string{"mock_of_sut 5 after"}},
		{Name: "import replaced", Old: `import { total, load, parse } from "../cart";`, New: `import { total, load, parse } from "./fake-cart";`, Want: []string{"mock_of_sut|test_modified 2 after"}},
		{Name: "expect replaced", Old: "const CASES", New: "(globalThis as any).expect = () => new Proxy({}, {});\n\nconst CASES", Want: []string{"mock_of_sut|test_modified|conftest_hook 5 after"}},
		{Name: "helper neutered", Old: "expect(a).toStrictEqual(b);", New: "expect(a).toBeDefined();", Want: []string{"helper_weakened|assertion_weakened 12 after"}},
		{Name: "setup changed", Old: "cart = { items: [1, 2, 3] };", New: "cart = { items: [6] };", Want: []string{"fixture_changed 19 after"}},
		{Name: "calls uncounted", Old: "    expect(spy).toHaveBeenCalledTimes(2);\n", New: "    expect(spy).toHaveBeenCalled();\n", Want: []string{"assertion_weakened 56 after"}},
		{Name: "subset", Old: "expect(Object.keys(cart)).toEqual([\"items\"])", New: "expect(Object.keys(cart)).toContain(\"items\")", Want: []string{"assertion_weakened 63 after"}},
		{Name: "length", Old: "expect(Object.keys(cart)).toEqual([\"items\"])", New: "expect(Object.keys(cart).length).toBe(1)", Want: []string{"assertion_weakened 63 after"}},
		{Name: "condition", Old: "    expect(total([])).toBe(0);", New: "    if (total([]) === 0) expect(total([])).toBe(0);", Want: []string{"assertion_weakened|assertion_removed|test_modified 24 after"}},
		{Name: "never called", Old: "    expect(total([])).toBe(0);", New: "    const check = () => expect(total([])).toBe(0);", Want: []string{"assertion_weakened 24 after"}},
		{Name: "snapshot gone", Old: "expect(cart).toMatchSnapshot()", New: "expect(cart).toBeTruthy()", Want: []string{"assertion_weakened 67 after"}},
		{Name: "loop over nothing", Old: "    expect(total([])).toBe(0);", New: "    for (const x of []) expect(total(x)).toBe(0);", Want: []string{"test_modified 24 after", "assertion_weakened 24 after"}},
		{Name: "framework replaced", Old: `from "vitest"`, New: `from "./quiet"`, Want: []string{"test_modified|mock_of_sut 1 after"}},
		{Name: "conditional suite", Old: `describe("cart", () => {`, New: `(process.env.CI ? describe.skip : describe)("cart", () => {`, Want: []string{"test_skipped 15 after"}},
		{Name: "subject normalised", Old: "expect(parse(input)).toBe(cents);", New: "expect(Math.round(parse(input))).toBe(cents);", Want: []string{"assertion_weakened 36 after"}},
	})
}

// TestRedefined: whoever binds a name of the framework to something of his own
// has taken the tests or assertions away.
func TestRedefined(t *testing.T) {
	t.Parallel()
	src := read(t, "testdata/compare/cart.test.ts")
	for name, tt := range map[string]struct{ old, new, kind string }{
		"it":     {"import { expect, it, describe", "const it = (name: string, fn: unknown) => {};\nimport { expect, describe", "test_deleted"},
		"expect": {"import { expect, it, describe", "const expect = (x: any): any => new Proxy({}, {});\nimport { it, describe", "assertion_removed"},
	} {
		t.Run(name, func(t *testing.T) {
			kinds := extracttest.Kinds(t, "cart.test.ts", src, strings.Replace(src, tt.old, tt.new, 1))
			if !slices.Contains(kinds, tt.kind) {
				t.Errorf("violations are %v, want %s among them", kinds, tt.kind)
			}
		})
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}
