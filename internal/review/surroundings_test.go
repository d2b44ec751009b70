//go:build !race

package review

import (
	"maps"
	"strings"
	"testing"

	"workflow-reviewer/internal/workflow"
)

// priceProject is a small one in which a line of price.py changed: its text before, and its head.
func priceProject() (before, head map[string]string) {
	head = map[string]string{
		"src/price.py": "import tax\n\n\ndef total(items):\n    return tax.added(sum(items))\n",
		"src/tax.py":   "def added(amount):\n    \"\"\"The amount with tax.\"\"\"\n    return amount\n",
		"src/cart.py":  "from price import total\n\n\ndef checkout(items):\n    return total(items)\n",
		"tests/test_price.py": "from price import total\n\n\ndef test_total():\n    assert total([1]) == 1\n\n\n" +
			"def test_nothing():\n    assert True\n",
		"tests/test_cart.py": "def test_cart():\n    assert True\n",
	}
	before = maps.Clone(head)
	before["src/price.py"] = strings.Replace(head["src/price.py"], "tax.added(sum(items))", "sum(items)", 1)
	return before, head
}

// priced plans the review of the change.
func priced(t *testing.T, before, head map[string]string) Job {
	a := artifact(head, workflow.Implementation, "price", "src/price.py")
	a.Tests = []string{"tests/test_cart.py", "tests/test_price.py"}
	in := inputOf(head, a)
	in.Set = setOf(before, head)
	return plan(t, codexOptions(), in)[0]
}

func TestWhatAChangeNamesIsShown(t *testing.T) {
	before, head := priceProject()
	prompt := priced(t, before, head).Request.Prompt
	for _, want := range []string{
		"### Definitions that the changed lines name\n", "src/tax.py\n    1 def added(amount):\n```",
		"### Uses of what changed\n", "src/cart.py, in checkout\n    5     return total(items)\n```",
		"### Tests that name what changed\n", "tests/test_price.py\n    4 def test_total():\n    5     assert total([1]) == 1\n```",
		"### Other tests of the feature\n", "tests/test_cart.py\n```",
	} {
		if !strings.Contains(prompt, want) {
			t.Errorf("the prompt lacks %q", want)
		}
	}
	for _, not := range []string{"The amount with tax.", "def test_nothing", "def test_cart"} {
		if strings.Contains(prompt, not) {
			t.Errorf("the prompt has %q, which the change does not need", not)
		}
	}
}

func TestAChangedTestIsShownAsSuch(t *testing.T) {
	before, head := priceProject()
	before["tests/test_price.py"] = strings.Replace(head["tests/test_price.py"], "== 1", "== 2", 1)
	prompt := priced(t, before, head).Request.Prompt
	for _, want := range []string{
		"### tests/test_price.py (test)\n\nA test of the feature. Changed;", "-          assert total([1]) == 2\n+    5     assert total([1]) == 1\n",
	} {
		if !strings.Contains(prompt, want) {
			t.Errorf("the prompt lacks %q", want)
		}
	}
	if strings.Contains(prompt, "### Tests that name what changed") {
		t.Error("a test that is shown with its change is shown again")
	}
}

// What a verdict rests on is part of the context's digest, whatever of it is shown; what merely uses the code is not.
func TestWhatAroundAChangeDecides(t *testing.T) {
	before, head := priceProject()
	digest := priced(t, before, head).result.ContextDigest
	for path, c := range map[string]struct {
		old, new string
		decides  bool
	}{
		"tests/test_cart.py":  {"assert True", "assert False", true},
		"tests/test_price.py": {"def test_nothing():\n    assert True", "def test_nothing():\n    assert 1", true},
		"src/tax.py":          {"def added(amount)", "def added(amount, rate)", true},
		"src/cart.py":         {"return total(items)", "return total(items) + 1", false},
	} {
		b, h := maps.Clone(before), maps.Clone(head)
		b[path] = strings.Replace(head[path], c.old, c.new, 1)
		h[path] = b[path]
		if changed := priced(t, b, h).result.ContextDigest != digest; changed != c.decides {
			t.Errorf("%s: the digest changes: %v, want %v", path, changed, c.decides)
		}
	}
}

// In a language that is not parsed, the feature's tests are shown as far as they fit.
func TestTestsThatAreNotParsedAreShown(t *testing.T) {
	head := map[string]string{
		"src/Price.pm": "sub total { return 1 }\n", "tests/Price.t": "use Test;\n" + strings.Repeat("# total\n", 2_000),
	}
	before := maps.Clone(head)
	before["src/Price.pm"] = "sub total { return 2 }\n"
	a := artifact(head, workflow.Implementation, "price", "src/Price.pm")
	a.Tests = []string{"tests/Price.t"}
	in := inputOf(head, a)
	in.Set = setOf(before, head)
	j := plan(t, codexOptions(), in)[0]
	if !strings.Contains(j.Request.Prompt, "### tests/Price.t (test)") || !strings.Contains(j.Request.Prompt, "[… cut here: ") ||
		!strings.Contains(strings.Join(j.result.Omitted, "\n"), "tests/Price.t: 8000 characters at most of ") {
		t.Errorf("omitted %q, prompt\n%.2000s", j.result.Omitted, j.Request.Prompt)
	}
}
