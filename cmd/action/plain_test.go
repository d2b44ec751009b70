package main_test

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/github/githubtest"
)

// The repository of TestPlainRepository: code and tests, nothing of a workflow.
const (
	plainCart = "import sqlite3\n\n\ndef total(prices):\n    return sum(prices)\n"
	plainTest = "from shop.cart import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n"
	// plainBad has three of the critical defects, and one that is no defect.
	plainBad = plainCart + "\n\ndef find(db, name):\n    return db.execute(f\"SELECT * FROM carts WHERE name = '{name}'\")\n" +
		"\n\ndef discount(rule, price):\n    return eval(rule)\n\n\nAPI_KEY = \"q7Gv2xR9bLw4\"\nONE = eval(\"1\")\n"
	plainWeak = "from shop.cart import total\n\n\ndef test_total():\n    assert total([1, 2]) is not None\n"
	plainFine = plainCart + "\n\ndef count(prices):\n    return len(prices)\n"
)

// plainRepository is a clone whose branch changes code and tests.
func plainRepository(t *testing.T, cart, test string) string {
	t.Helper()
	repo := githubtest.NewRepo(t)
	repo.Commit("main", "Begin", githubtest.Text(map[string]string{
		"shop/cart.py": plainCart, "tests/test_cart.py": plainTest, "README.md": "# Shop\n", "docs/use.md": "# Use\n",
	}))
	repo.Branch("carts", "main")
	repo.Commit("carts", "Change", githubtest.Text(map[string]string{
		"shop/cart.py": cart, "tests/test_cart.py": test, "README.md": "# The shop\n", "docs/use.md": "# How to use\n",
	}))
	dir := filepath.Join(t.TempDir(), "clone")
	if out, err := exec.Command("git", "clone", "-q", "--branch=carts", repo.Dir, dir).CombinedOutput(); err != nil {
		t.Fatalf("git clone: %v\n%s", err, out)
	}
	return dir
}

// TestPlainRepository: without a key, a spec or a setting, the first change of a
// repository is told what its tests lost and what is dangerous in it, and
// nothing of what the repository does not have but one line.
func TestPlainRepository(t *testing.T) {
	type issue struct{ Rule, Severity, File string }
	type report struct {
		Decision string
		Reviews  []struct {
			Type, Decision string
			Issues         []issue
			Warnings       []string
		}
		Weakened []struct{ File string }
		Notices  []struct {
			Text    string
			Warning bool
		}
	}
	run := func(t *testing.T, cart, test string, code int) (report, string) {
		dir := plainRepository(t, cart, test)
		got, stdout, stderr := program(t, "local", "--repo", dir, "--base", "origin/main", "--engine", "rules", "--json")
		var r report
		if err := json.Unmarshal([]byte(stdout), &r); err != nil || got != code {
			t.Fatalf("exit status %d, %v\n%s\n%s", got, err, stdout, stderr)
		}
		_, text, _ := program(t, "local", "--repo", dir, "--base", "origin/main", "--engine", "rules")
		return r, text
	}
	t.Run("defects", func(t *testing.T) {
		r, text := run(t, plainBad, plainWeak, 1)
		var high []string
		for _, review := range r.Reviews {
			for _, i := range review.Issues {
				if i.Severity == "High" && i.File == "shop/cart.py" {
					high = append(high, i.Rule)
				}
			}
		}
		slices.Sort(high)
		if want := []string{"code/dynamic-code", "code/secret", "code/sql-concatenation"}; !slices.Equal(high, want) {
			t.Errorf("High: %v, want %v", high, want)
		}
		if len(r.Weakened) != 1 || r.Weakened[0].File != "tests/test_cart.py" || !strings.Contains(text, "assert total([1, 2]) == 3") {
			t.Errorf("the weakened test is not shown: %+v\n%s", r.Weakened, text)
		}
	})
	t.Run("honest", func(t *testing.T) {
		r, text := run(t, plainFine, plainTest+"\n\ndef test_count():\n    assert count([1, 2]) == 2\n", 0)
		hints := 0
		for _, n := range r.Notices {
			if !strings.HasPrefix(n.Text, "not reviewed") {
				hints++
			}
			if n.Warning {
				t.Errorf("warning %q", n.Text)
			}
		}
		for _, review := range r.Reviews {
			if len(review.Issues)+len(review.Warnings) > 0 {
				t.Errorf("%s: %+v", review.Type, review)
			}
		}
		if hints > 1 || strings.Contains(text, "config.json") || strings.Contains(text, "VISION") || strings.Contains(text, "ROADMAP") {
			t.Errorf("%d hints\n%s", hints, text)
		}
	})
}
