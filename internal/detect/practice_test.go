package detect_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/detect"
)

// Kinds of changes that repositories in practice are full of.

// TestMarkersAndFieldsAreNoStubs: what only makes a type one of a kind, and what a type holds, is written as it is to be.
func TestMarkersAndFieldsAreNoStubs(t *testing.T) {
	const marked = "package a\n\ntype Lit struct{ n int }\n\nfunc (*Lit) isExpr() {}\n"
	const idle = "package a\n\ntype S struct{ n int }\n\nfunc (s *S) Close() error { return nil }\n"
	const hooks = "export const defaults = { onOpen: () => {}, onClose: () => {} };\n"
	grown := func(s string) files { return files{"a.go": strings.Replace(s, "n int", "n, m int", 1)} }
	const stub = "package a\n\nfunc F() { panic(\"not implemented\") }\n"
	for name, tt := range map[string]struct {
		old, now files
		want     string
	}{
		"a marker method":            {nil, files{"a.go": marked}, "implementation"},
		"a field beside one":         {files{"a.go": marked}, grown(marked), "implementation"},
		"a field beside what idles":  {files{"a.go": idle}, grown(idle), "implementation"},
		"callbacks by default":       {nil, files{"a.ts": hooks}, "implementation"},
		"a marker beside a skeleton": {nil, files{"a.go": marked, "b.go": stub}, "skeleton"},
		"an exported one may be due": {nil, files{"a.go": strings.Replace(marked, "isExpr", "Close", 1)}, "skeleton"},
	} {
		got := find(t, tt.old, tt.now, detect.Options{Branch: "x"})
		if len(got.Artifacts) != 1 || string(got.Artifacts[0].Type) != tt.want {
			t.Errorf("%s: %v, want %s", name, names(got), tt.want)
		}
	}
}

// TestAddedSpecsComeFirst: the tests and the code that come with a new spec are
// of that spec, whatever else is being worked on.
func TestAddedSpecsComeFirst(t *testing.T) {
	old := files{
		"specs/doing/memory-graph.md":  aSpec,
		"specs/done/singleton-node.md": aSpec,
		"src/memoryGraph.ts":           "export const n = 1;\n",
	}
	got := find(t, old, with(old, files{
		"specs/done/singleton-node-support.md": aSpec + "More.\n", "tests/memoryGraph.singleton_node.test.ts": "it('is', () => {});\n",
	}), detect.Options{})
	wantNames(t, got, "spec: singleton-node-support = specs/done/singleton-node-support.md",
		"tests: singleton-node-support = tests/memoryGraph.singleton_node.test.ts")
	// One that is only proposed is not yet what the change works on.
	got = find(
		t,
		old,
		with(old, files{"specs/proposed/idea.md": aSpec + "More.\n", "src/x.ts": "f();\n"}),
		detect.Options{Branch: "memory-graph"},
	)
	wantNames(
		t,
		got,
		"spec: idea = specs/proposed/idea.md",
		"implementation: memory-graph = src/x.ts",
	)
}

// TestStem: an approval whose file names a reviewer too is one of the feature.
func TestStem(t *testing.T) {
	l := lookup(
		t,
		nil,
		files{
			"specs/done/login.md":        aSpec,
			"specs/doing/login-audit.md": aSpec,
			"specs/todo/log.md":          aSpec,
		},
		detect.Options{},
	)
	for name, want := range map[string]string{
		"login-mcp": "login", "login-claude-sonnet": "login", "login_audit-mcp": "login-audit", "2-login": "login", "LOGIN": "login",
		"logins": "logins", "other": "other",
	} {
		if got := l.Stem(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

// TestCopiedSpec: people move a spec in two commits, the copy first.
func TestCopiedSpec(t *testing.T) {
	old := files{"specs/doing/x.md": aSpec}
	got := find(t, old, with(old, files{"specs/done/x.md": aSpec}), detect.Options{})
	wantNames(t, got)
	wantNotice(
		t,
		got,
		"specs/done/x.md",
		"copied from specs/doing/x.md without a change of content",
	)
	got = find(t, old, with(old, files{"specs/done/x.md": aSpec + "\nMore.\n"}), detect.Options{})
	wantNames(t, got, "spec: x = specs/done/x.md")
	got = find(t, old, with(old, files{"specs/done/y.md": aSpec}), detect.Options{})
	wantNames(t, got, "spec: y = specs/done/y.md")
}

// TestUnknownLayout: a document of a layout that is not in use is never passed
// over in silence.
func TestUnknownLayout(t *testing.T) {
	for path, want := range map[string]string{
		"specs/001-login/spec.md": `a document of the layout spec-kit, which is not in use: name it in the config's ` +
			`"layouts"`,
		"specs/001-login/tasks.md": "a document of the layout spec-kit",
		"a/packages/web/openspec/changes/a/tasks.md": `a document of the layout openspec below a/packages/web, which is no root: name ` +
			`that folder in the config's "roots"`,
		"services/pay/specs/doing/refund.md":          "a document of the layout workflow below services/pay",
		"specs/login.md":                              "no layout in use names it",
		"SPECS/archive/login.md":                      "no layout in use names it",
		"docs/rfcs/0007-login.md":                     "no layout in use names it",
		".agent-os/specs/2025-08-01-login/sub/api.md": "no layout in use names it",
		"docs/prd.md":                                 "no layout in use names it",
	} {
		got := find(t, nil, files{path: "text\n"}, detect.Options{Branch: "x"})
		wantNames(t, got)
		wantNotice(t, got, path, want)
		if !got.Notices[0].Warns() {
			t.Errorf("%s is passed over without a warning", path)
		}
	}
	for path, want := range map[string]string{
		"specs/README.md":        "neither a workflow document nor source code",
		"reviews/specs/login.md": "under reviews/",
		"docs/login.md":          "neither a workflow document nor source code",
	} {
		got := find(t, nil, files{path: "text\n"}, detect.Options{Branch: "x"})
		wantNames(t, got)
		wantNotice(t, got, path, want)
	}
}

func TestWhatTestsRead(t *testing.T) {
	got := find(t, nil, files{
		"tests/test_page.py": pyTest, "tests/fixtures/page.md": "# Page\n", "tests/fixtures/README.md": "How.\n",
		"tests/notes.md":                 "Notes.\n",
		"coverage/lcov-report/sorter.js": "f()\n", "htmlcov/index.js": "f()\n",
	}, detect.Options{Branch: "x"})
	wantNames(t, got, "tests: x = tests/fixtures/page.md tests/test_page.py")
	wantNotice(t, got, "coverage/lcov-report/sorter.js", "generated (lcov-report/)")
	wantNotice(t, got, "htmlcov/index.js", "generated (htmlcov/)")
}

// TestTestsNamedAfterASource: without a spec, a source's tests are those that
// bear its name.
func TestTestsNamedAfterASource(t *testing.T) {
	tree := files{
		"store.go": goReal, "store_test.go": goReal, "api/index.ts": "f();\n", "test/api/index.test.ts": "t();\n",
		"test/web/index.test.ts": "t();\n",
		"src/shop/models.py":     pyReal, "tests/test_models.py": pyTest, "src/main/java/a/Cart.java": "class Cart {}\n",
		"src/test/java/a/CartTest.java": "class CartTest {}\n", "src/test/java/b/CartTest.java": "class CartTest {}\n", "lone.go": goReal,
	}
	for path, want := range map[string][]string{
		"store.go":                  {"store_test.go"},
		"api/index.ts":              {"test/api/index.test.ts"},
		"src/shop/models.py":        {"tests/test_models.py"},
		"src/main/java/a/Cart.java": {"src/test/java/a/CartTest.java"},
		"lone.go":                   nil,
	} {
		got := find(
			t,
			tree,
			with(tree, files{path: tree[path] + "\n"}),
			detect.Options{Branch: "x"},
		)
		if len(got.Artifacts) != 1 {
			t.Fatalf("%s: artifacts = %v", path, names(got))
		}
		if d := cmp.Diff(want, got.Artifacts[0].Tests); d != "" {
			t.Errorf("%s: tests (-want +got):\n%s", path, d)
		}
	}
}

// TestOtherTestsOfAFeature: a review of some tests knows of the others.
func TestOtherTestsOfAFeature(t *testing.T) {
	tree := files{
		"specs/doing/cart.md":    aSpec,
		"tests/cart/test_add.py": pyTest,
		"tests/cart/test_pay.py": pyTest,
	}
	got := find(
		t,
		tree,
		with(tree, files{"tests/cart/test_add.py": pyTest + "\n# more\n"}),
		detect.Options{},
	)
	wantNames(t, got, "tests: cart = tests/cart/test_add.py")
	if d := cmp.Diff([]string{"tests/cart/test_pay.py"}, got.Artifacts[0].Tests); d != "" {
		t.Errorf("tests (-want +got):\n%s", d)
	}
}

// TestConventionsOfPractice: what runners take for tests beyond the usual names,
// and what is no part of the product.
func TestConventionsOfPractice(t *testing.T) {
	for path, want := range map[string]string{
		"test/spec_request.rb":             "tests: x",
		"spec/spec_helper.rb":              "tests: x",
		"contracts/test/Vault.t.sol":       "tests: x",
		"src/Vault.t.sol":                  "tests: x",
		"src/Vault.sol":                    "implementation: x",
		"tests/codec/decode.rs":            "tests: x",
		"src/pkg/testing.py":               "implementation: x",
		"lib/rack/test/cookie_jar.rb":      "implementation: x",
		"lib/spec_runner.rb":               "implementation: x",
		"vite.config.ts":                   "implementation: x",
		"docs/conf.py":                     "implementation: x",
		"packages/core/benchmarks/sort.ts": "implementation: x",
		"src/benchmark/admin.py":           "implementation: x",
		"src/coverage/sorter.js":           "implementation: x",
		"src/jquery.js":                    "implementation: x",
		"lib/gems/login-1.0/login.rb":      "implementation: x",
		"bugs/fixed/admin.py":              "implementation: x",
	} {
		got := find(t, nil, files{path: "x\n"}, detect.Options{Branch: "x"})
		wantNames(t, got, want+" = "+path)
	}
	l := lookup(t, nil, nil, detect.Options{})
	for path, want := range map[string]detect.Role{
		"test/spec_request.rb": detect.Test, "tests/codec/decode.rs": detect.Test, "tests/common/mod.rs": detect.Helper,
		"src/Vault.t.sol": detect.Test,
		"bench/run.py":    detect.Source, "spec/spec_helper.rb": detect.Helper,
	} {
		if got := l.Role(path); got != want {
			t.Errorf("%s is %d, want %d", path, got, want)
		}
	}
}

func TestNoBranch(t *testing.T) {
	got := find(t, nil, files{"x.py": pyReal}, detect.Options{})
	wantNotice(t, got, "", "named after the head commit, as no branch is known")
}

func wantNotice(t *testing.T, r detect.Result, path, part string) {
	t.Helper()
	for _, n := range r.Notices {
		if n.File == path && strings.Contains(n.Text, part) {
			return
		}
	}
	t.Errorf("no notice of %q says %q: %v", path, part, r.Notices)
}
