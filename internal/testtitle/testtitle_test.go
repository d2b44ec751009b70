package testtitle_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/testtitle"
)

// TestFind: the lines of the tests that a reported name may mean.
func TestFind(t *testing.T) {
	t.Parallel()
	const mocha = `describe('cart', function () {
  describe('total(items)', function () {
    it('adds "up"', function () {})
    it('adds ' + kind, function () {})
    it(` + "`takes ${n} of \\u00e9`" + `, function () {})
  })
  it(name, function () {})
})
function shared () { it('adds "up"', function () {}) }
it('adds', (t) => t.test('part', f))
describe.each([[1]])('row %i', () => { test.each([1])('is $x', f) })
re.test('adds')
`
	const rspec = `RSpec.describe Shop::Cart, 'when full' do
  shared_examples('sums') { it('sums') { } }
  context "with #{x}" do
    specify('stays') { }
  end
  it { is_expected.to be_full }
end
module A; class CartTest < Minitest::Test; def test_sums; end; end; end
`
	for _, c := range []struct {
		file, src, name string
		want            []int
	}{
		{"a.js", mocha, "cart total(items).adds \"up\"", []int{3, 4, 7, 9}},
		{"a.js", mocha, "cart total(items) adds down", []int{4, 7}},
		{"a.js", mocha, "cart > total(items) > takes 3 of é", []int{5, 7}},
		{"a.js", mocha, "adds", []int{10}},
		{"a.js", mocha, "adds.part", []int{10}},
		{"a.js", mocha, "row 1 is y", []int{11}},
		{"a.js", mocha, "nobody knows", nil},
		{"a.js", mocha, "(+)", nil},
		{"a.js", "it('+', f)", "-", nil},
		{"a.js", "it(", "x", nil},
		{"a.unknown", mocha, "adds", nil},
		{"a_spec.rb", rspec, "spec.a_spec.Shop::Cart when full with a hat stays", []int{4, 6}},
		{"a_spec.rb", rspec, "Shop::Cart when full behaves like sums sums", []int{2, 6}},
		{"a_spec.rb", rspec, "A::CartTest.test_sums", []int{8}},
		{"test_a.py", "class TestA:\n  def test_a(self): pass\n\ndef test_b(): pass\n", "x.TestA.test_a[1-b]", []int{2}},
		{"a_test.go", "package a\nfunc TestA(t *testing.T) {}\nfunc TestB(t *testing.T) {}\n", "a.b/c.TestA/is_TestB", []int{2}},
		{"lib.rs", "mod tests {\n  #[test]\n  fn works() {}\n}\n", "demo tests::works", []int{3}},
	} {
		tests := testtitle.Of(context.Background(), c.file, []byte(c.src))
		var got []int
		for _, i := range testtitle.Find(tests, c.name) {
			got = append(got, tests[i].First)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", c.file, c.name, diff)
		}
	}
}
