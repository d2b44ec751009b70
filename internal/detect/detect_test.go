package detect_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/workflow"
)

var update = flag.Bool("update", false, "rewrite the golden files")

type files = map[string]string

// find runs detection on a change from old to now, with old as the base.
func find(t *testing.T, old, now files, opt detect.Options) detect.Result {
	t.Helper()
	return findIn(t, changetest.Set(old, old, now), opt)
}

func findIn(t *testing.T, set change.Set, opt detect.Options) detect.Result {
	t.Helper()
	got, err := detect.Artifacts(context.Background(), set, opt)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// with is a copy of base with more files; an empty value takes one out.
func with(base, more files) files {
	out := files{}
	for p, c := range base {
		out[p] = c
	}
	for p, c := range more {
		if c == "" {
			delete(out, p)
		} else {
			out[p] = c
		}
	}
	return out
}

// names lists the artifacts as "type: feature = file file".
func names(r detect.Result) []string {
	out := []string{}
	for _, a := range r.Artifacts {
		var paths []string
		for _, f := range a.Files {
			paths = append(paths, f.Path)
		}
		out = append(out, a.Name()+" = "+strings.Join(paths, " "))
	}
	return out
}

func wantNames(t *testing.T, r detect.Result, want ...string) {
	t.Helper()
	if d := cmp.Diff(append([]string{}, want...), names(r)); d != "" {
		t.Errorf("artifacts (-want +got):\n%s\nnotices: %v", d, r.Notices)
	}
}

func always(workflow.Type) bool { return true }

// golden compares everything that detection says with testdata/<name>.json.
func golden(t *testing.T, name string, r detect.Result) {
	t.Helper()
	got, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	path := filepath.Join("testdata", name+".json")
	if *update {
		if err := os.WriteFile(path, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s (-want +got):\n%s", path, d)
	}
}

const (
	pyReal  = "def total(items):\n    return sum(items)\n"
	pyStub  = "def total(items):\n    \"\"\"Sum.\"\"\"\n    raise NotImplementedError\n"
	pyTest  = "from shop import total\n\n\ndef test_total():\n    assert total([1]) == 1\n"
	goReal  = "package p\n\nfunc F() int { return g() + 1 }\n"
	goStub  = "package p\n\nfunc F() int { panic(\"not implemented\") }\n"
	goIface = "package p\n\ntype Store interface{ Get(id string) (string, error) }\n"
	aSpec   = "# Spec\n\nAcceptance.\n"
)

func TestLayouts(t *testing.T) {
	for _, tt := range sampleProjects() {
		t.Run(tt.name, func(t *testing.T) {
			opt := tt.opt
			opt.AutoMove = always
			golden(t, "layout-"+tt.name, find(t, tt.old, with(tt.old, tt.now), opt))
		})
	}
}

type sampleProject struct {
	name     string
	old, now files
	opt      detect.Options
}

func sampleProjects() []sampleProject {
	return []sampleProject{
		{
			"python",
			files{
				"specs/doing/cart.md":  aSpec,
				"src/shop/__init__.py": "X = 1\n",
				"tests/test_tax.py":    pyTest,
			},
			files{
				"src/shop/cart.py": pyReal, "src/shop/__init__.py": "X = 1\nY = 2\n", "tests/test_cart.py": pyTest,
				"tests/conftest.py": "import pytest\n", "tests/data/cart.json": "{}\n", "README.md": "# Shop\n", "poetry.lock": "x\n",
			},
			detect.Options{Branch: "feature/cart"},
		},
		{"python-skeleton", files{"specs/todo/user-auth.md": aSpec}, files{
			"src/user_auth/login.py": pyStub, "src/user_auth/__init__.py": "\n", "src/user_auth/types.py": "LIMIT = 3\n",
		}, detect.Options{}},
		{"go-module", files{"go.mod": "module x\n", "specs/doing/store.md": aSpec}, files{
			"go.mod": "module x\n\ngo 1.26\n", "go.sum": "x\n", "internal/store/store.go": goReal, "internal/store/iface.go": goIface,
			"internal/store/store_test.go": "package p\n", "internal/store/testdata/a.txt": "a\n", "vendor/y/y.go": goReal,
			"api/store.pb.go": "package api\n", "cmd/x/main.go": "package main\n\nfunc main() { os.Exit(run()) }\n",
		}, detect.Options{Branch: "feature/store"}},
		{
			"maven",
			files{"pom.xml": "<p/>\n", "project-meta/specs/doing/order-book.md": aSpec},
			files{
				"src/main/java/com/acme/orderbook/OrderBook.java": "class OrderBook { int n() { return 0; } }\n",
				"src/main/java/com/acme/orderbook/Order.java":     "interface Order { int id(); }\n",
				"src/test/java/com/acme/OrderBookTest.java":       "class OrderBookTest { }\n",
				"src/test/java/com/acme/OrderBookIT.java":         "class OrderBookIT { }\n",
				"src/test/java/com/acme/Fixtures.java":            "class Fixtures { }\n",
				"src/test/resources/orders.json":                  "{}\n",
			},
			detect.Options{Branch: "wip"},
		},
		{"rails", files{"specs/doing/invoices.md": aSpec, "Gemfile.lock": "x\n"}, files{
			"app/models/invoice.rb": "class Invoice\n  def total\n    lines.sum\n  end\nend\n", "spec/models/invoice_spec.rb": "it\n",
			"spec/factories/invoices.rb": "x = 1\n", "spec/rails_helper.rb": "x = 1\n", "test/models/invoice_test.rb": "x = 1\n",
			"db/migrate/1_create_invoices.rb": "class C\n  def change\n    create_table :x\n  end\nend\n", "Gemfile.lock": "y\n",
		}, detect.Options{Branch: "add-invoices"}},
		{"dotnet", files{"specs/doing/Pricing.md": aSpec}, files{
			"src/Shop/Pricing/Price.cs":             "class Price { int P() { throw new System.NotImplementedException(); } }\n",
			"tests/Shop.Tests/PricingTests.cs":      "class PricingTests { }\n",
			"test/Shop.UnitTests/Pricing/Helper.cs": "class Helper { }\n",
			"src/Shop/obj.Designer.cs":              "class X { }\n",
		}, detect.Options{Branch: "main"}},
		{"ts-monorepo", files{"specs/doing/checkout.md": aSpec, "specs/done/cart.md": aSpec}, files{
			"packages/checkout/src/pay.ts":             "export function pay(): void { throw new Error('todo'); }\n",
			"packages/checkout/src/types.ts":           "export interface Paid { id: string }\n",
			"packages/checkout/src/__tests__/pay.ts":   "it('pays', () => {});\n",
			"packages/cart/src/sum.ts":                 "export const sum = (a: number, b: number) => a + b;\n",
			"packages/cart/src/sum.test.ts":            "it('sums', () => {});\n",
			"packages/cart/src/__snapshots__/sum.snap": "x\n",
			"packages/web/App.spec.tsx":                "it('is', () => {});\n",
			"packages/web/dist/app.min.js":             "x\n",
			"package-lock.json":                        "{}\n",
		}, detect.Options{Branch: "feature/checkout"}},
		{
			"bug-fix",
			files{
				"specs/done/login.md": aSpec,
				"src/login.py":        pyReal,
				"tests/test_login.py": pyTest,
			},
			files{
				"bugs/fixing/crash-on-empty.md": "# Bug\n", "src/login.py": pyReal + "\n\nX = 1\n", "tests/test_crash_on_empty.py": pyTest,
			},
			detect.Options{Branch: "bugfix/crash-on-empty"},
		},
		{
			"documents",
			files{"specs/proposed/a.md": aSpec, "specs/proposed/b.md": "b\n", "ROADMAP.md": "r\n"},
			files{
				"VISION.md": "v\n", "docs/SCOPE.md": "s\n", "planning/ROADMAP.md": "r2\n", "vision.md": "v\n",
				"specs/proposed/a.md": aSpec + "More.\n",
				"specs/proposed/b.md": "", "specs/todo/b.md": "b\n", "project-meta/specs/proposed/c.md": aSpec, "reviews/specs/x.md": "r\n",
			},
			detect.Options{},
		},
	}
}

func TestNothingIsSaidToBeNothing(t *testing.T) {
	got := find(t, files{"a.txt": "a"}, files{"a.txt": "b", "notes.md": "n"}, detect.Options{})
	wantNames(t, got)
	golden(t, "nothing", got)
}

func TestManyFilesShareOneNotice(t *testing.T) {
	now := files{}
	for i := range 300 {
		now[fmt.Sprintf("vendor/m/f%03d.go", i)] = goReal
	}
	got := find(t, nil, now, detect.Options{})
	if len(got.Notices) != 2 || !strings.Contains(got.Notices[0].Text,
		"vendor/m/f000.go, vendor/m/f001.go, vendor/m/f002.go and 297 more") {
		t.Errorf("notices = %v", got.Notices)
	}
}
