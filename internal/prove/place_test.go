package prove

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/prove/swap"
	"workflow-reviewer/internal/testresult"
	"workflow-reviewer/internal/testtitle"
)

// placesOf reads approved tests that lie below /repo, and a command that runs in a folder of it.
func placesOf(folder string, texts map[string]string) *placer {
	p := &placer{root: "/repo", dir: filepath.Join("/repo", folder)}
	for file, text := range texts {
		p.files = append(p.files, file)
		p.add(file, testtitle.Of(context.Background(), file, []byte(text)))
	}
	return p
}

// TestPlace: a failure is placed in the one approved test file that declares it, whatever else its name holds; in none
// where several may, or where the report names another file.
func TestPlace(t *testing.T) {
	t.Parallel()
	p := placesOf(".", map[string]string{
		"tests/test_price.py": "def test_tax(): pass\ndef test_both(): pass\n",
		"tests/test_other.py": "def test_price(): pass\ndef test_both(): pass\ndef test_case(): pass\n",
		"a_test.go":           "package a\nfunc TestA(t *testing.T) {}\n", "b_test.go": "package a\nfunc TestB(t *testing.T) {}\n",
		"src/test/java/org/x/PriceTest.java": "class PriceTest { @Test void tax() { } class Inner { @Test void y() { } } }",
		"test/app.js": `describe('app', function () {
			describe('.render(name, fn)', function () { it('should work', f) })
			it("is 'quoted'", f); it.skip('waits', f)
			methods.forEach(function (m) { it('takes ' + m, f) })
		})`,
		"test/res.js": `describe('res', () => { it('should work', f) }); describe('app', () => { it('listens', f) })
			test.each([1])('row %i', f); it(title, f)`,
		"spec/a_spec.rb": "RSpec.describe Thing do\n describe '#run' do\n it('works') { }\n end\n it { }\n end\n",
		"test/a_test.rb": "class ATest < Minitest::Test\n def test_a; end\nend\ndescribe 'Rack' do\n it 'must work' do end\nend\n",
		"v/a.test.mjs":   "import { it } from 'vitest'\nit('plays', f)\n",
		"v/b.test.mjs":   "import { it } from 'vitest'\nit('plays', f)\n",
	})
	for name, want := range map[string]string{
		"tests.test_price.test_tax": "tests/test_price.py", "tests.test_price.test_tax[test_case]": "tests/test_price.py",
		"tests.test_price.test_both": "tests/test_price.py", "test_both": "", "tests.test_price": "tests/test_price.py",
		"tests.test_gone.test_no": "", "a.b/c.TestA": "a_test.go", "a.b/c.TestA/x.TestB": "a_test.go", "TestZ": "",
		"org.x.PriceTest.tax": "src/test/java/org/x/PriceTest.java", "org.x.PriceTest$Inner.y": "src/test/java/org/x/PriceTest.java",
		"app .render(name, fn).should work": "test/app.js", "app .render(name, fn) should work": "test/app.js",
		"app > .render(name, fn) > should work": "test/app.js", "res.should work": "test/res.js",
		"app.is 'quoted'": "test/app.js", "app takes put": "test/app.js", "app.listens": "test/res.js",
		"spec.a_spec.Thing#run works": "spec/a_spec.rb", "spec.a_spec.Thing is expected to eq 5": "spec/a_spec.rb",
		"Minitest::Result.test_0001_must work": "test/a_test.rb", "Rack.test_0001_must work": "test/a_test.rb",
		"ATest.test_a": "test/a_test.rb", "v/a.test.mjs.plays": "v/a.test.mjs", "plays": "", "": "", "nobody declares this": "", "row 7": "test/res.js",
	} {
		if got := p.file(testresult.Failure{Name: name}); got != want {
			t.Errorf("%s: placed in %q, want %q", name, got, want)
		}
	}
}

// TestPlaceByFile: what a report calls a file is one of the repository's, however it writes it.
func TestPlaceByFile(t *testing.T) {
	t.Parallel()
	p := placesOf("pkg", map[string]string{"pkg/test/a.js": "it('works', f)", "pkg/v/a.test.js": ""})
	for _, c := range []struct{ file, name, want string }{
		{"/repo/pkg/test/a.js", "x", "pkg/test/a.js"},
		{"./test/a.js", "x", "pkg/test/a.js"},
		{"test/a.js", "x", "pkg/test/a.js"},
		{"../../etc/a.js", "works", "../../etc/a.js"},
		{"/elsewhere/a.js", "works", "/elsewhere/a.js"},
		{"test/other.js", "works", "pkg/test/other.js"},
		{"", "v/a.test.js.app > works", "pkg/v/a.test.js"},
	} {
		if got := p.file(testresult.Failure{Name: c.name, File: c.file}); got != c.want {
			t.Errorf("%s in %q: placed in %q, want %q", c.name, c.file, got, c.want)
		}
	}
}

// TestPlaceBelowALink: runners tell paths as they are, the work tree's may lead over a link.
func TestPlaceBelowALink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	p := &placer{root: link, dir: link}
	if got := p.file(testresult.Failure{File: filepath.Join(resolved(dir), "a.js")}); got != "a.js" {
		t.Errorf("placed in %q", got)
	}
}

// TestPlacerReadsTests: only approved files with tests are looked through.
func TestPlacerReadsTests(t *testing.T) {
	t.Parallel()
	text := []byte("def test_helped(): pass\n")
	p := &prover{Options: Options{Tree: &swap.Tree{}, Input: Input{
		Content:  func(string) ([]byte, error) { return text, nil },
		Approved: []approval.File{{Path: "tests/helper.py", Role: approval.Support}, {Path: "tests/test_a.py", Role: approval.Test}},
	}}}
	if got := p.newPlacer(context.Background()).file(testresult.Failure{Name: "test_helped"}); got != "tests/test_a.py" {
		t.Errorf("placed in %q", got)
	}
}
