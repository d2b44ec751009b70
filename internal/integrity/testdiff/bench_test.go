package testdiff_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/integrity/testdiff"
	"workflow-reviewer/internal/syntax"
)

// changedFiles are n test files of about 20 KB in several languages, and what
// a change makes of each: one assertion weakened, a test renamed, one added.
func changedFiles(n int) []testdiff.Pair {
	makers := []func(i int, changed bool) (string, string){pythonFile, typescriptFile, goFile}
	pairs := make([]testdiff.Pair, n)
	for i := range pairs {
		name, before := makers[i%len(makers)](i, false)
		_, after := makers[i%len(makers)](i, true)
		pairs[i] = testdiff.Pair{Path: name, Role: "test", Before: []byte(before), After: []byte(after)}
	}
	return pairs
}

const fileSize = 20 << 10

func pythonFile(i int, changed bool) (name, text string) {
	var b strings.Builder
	fmt.Fprintf(&b, "import pytest\nfrom shop.cart%d import Cart, total\n\n", i)
	for k := 0; b.Len() < fileSize; k++ {
		test, op := "total", "=="
		if changed && k == 7 {
			test, op = "sum", ">="
		}
		fmt.Fprintf(&b, `
@pytest.mark.parametrize("n, want", [(1, %d), (2, 4), (3, 9)])
def test_%s_%d(n, want):
    cart = Cart(owner="someone", items=[n, %d])
    cart.add(n, price=2.5)
    assert total(cart) %s want + %d, "the total of the cart"
    with pytest.raises(ValueError):
        cart.add(-1)
`, k, test, k, k, op, k)
	}
	if changed {
		b.WriteString("\n\ndef test_more():\n    assert total(Cart()) == 0\n")
	}
	return fmt.Sprintf("tests/test_cart%d.py", i), b.String()
}

func typescriptFile(i int, changed bool) (name, text string) {
	var b strings.Builder
	fmt.Fprintf(&b, "import { Cart, total } from \"../cart%d\";\n\ndescribe(\"cart\", () => {\n", i)
	for k := 0; b.Len() < fileSize; k++ {
		test, op := "adds", "toBe"
		if changed && k == 7 {
			test, op = "sums", "toBeGreaterThan"
		}
		fmt.Fprintf(&b, `  it("%s %d", async () => {
    const cart: Cart = new Cart({ owner: "someone", items: [1, %d] });
    cart.add(%d, { price: 2.5 });
    expect(await total(cart)).%s(%d);
    expect(() => cart.add(-1)).toThrow(RangeError);
  });
`, test, k, k, k, op, k)
	}
	b.WriteString("});\n")
	return fmt.Sprintf("src/cart%d.test.ts", i), b.String()
}

func goFile(i int, changed bool) (name, text string) {
	var b strings.Builder
	b.WriteString("package cart\n\nimport \"testing\"\n")
	for k := 0; b.Len() < fileSize; k++ {
		test, op := "Total", "!="
		if changed && k == 7 {
			test, op = "Sum", "<"
		}
		fmt.Fprintf(&b, `
func Test%s%d(t *testing.T) {
	cart := NewCart("someone", []int{1, %d})
	if err := cart.Add(%d, 2.5); err != nil {
		t.Fatal(err)
	}
	if got := Total(cart); got %s %d {
		t.Errorf("Total = %%d, want %d", got)
	}
}
`, test, k, k, k, op, k, k)
	}
	return fmt.Sprintf("cart%d_test.go", i), b.String()
}

// benchFiles is how many files one operation compares.
const benchFiles = 1_000

func BenchmarkTestdiff(b *testing.B) {
	in := testdiff.Input{Changed: slices.Values(changedFiles(benchFiles))}
	b.ReportAllocs()
	for b.Loop() {
		r, err := testdiff.Compare(b.Context(), in)
		if err != nil || len(r.Violations) < benchFiles || len(r.NotAnalysed) > 0 {
			b.Fatalf("%d violations, %v, %v", len(r.Violations), r.NotAnalysed, err)
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapSys)/(1<<20), "MB-heap") // the most that was ever held, the files included
}

// BenchmarkTestdiffParse is what parsing the same files costs alone.
func BenchmarkTestdiffParse(b *testing.B) {
	pairs := changedFiles(benchFiles)
	b.ReportAllocs()
	for b.Loop() {
		for _, p := range pairs {
			lang, _ := syntax.LanguageOf(p.Path)
			for _, src := range [][]byte{p.Before, p.After} {
				if _, err := syntax.Parse(b.Context(), lang, src); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
}
