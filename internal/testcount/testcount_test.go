package testcount_test

import (
	"testing"

	"workflow-reviewer/internal/testcount"
)

func TestOf(t *testing.T) {
	for name, c := range map[string]struct {
		path, src    string
		tests, skips int
	}{
		"pytest": {"test_a.py", `import pytest

def test_a(): pass
def test_b(): pass
def test_a(): pass  # takes the first one's place

@pytest.mark.skip(reason="x")
def test_c(): pass

@pytest.mark.parametrize("x", [1, 2])
def test_d(x): pass

def helper(): pass

class TestX:
    def test_e(self): pass
    def other(self): pass

class Mixin:
    def test_f(self): pass

class TestWithInit:
    def __init__(self): pass
    def test_g(self): pass

if True:
    def test_h(): pass
`, 5, 1},
		"module skipped": {"test_a.py", `import pytest
pytestmark = pytest.mark.skipif(X, reason='')
def test_a(): pass
def test_b(): pass
`, 2, 2},
		"unittest": {"test_a.py", `import unittest

def test_not_collected(): pass

class A(unittest.TestCase):
    def test_a(self): pass
    def test_b(self): self.skipTest("x")

@unittest.skip("x")
class B(unittest.TestCase):
    def test_c(self): pass

class TestHelper:
    def test_not_collected(self): pass
`, 3, 2},
		"syntax error": {"test_a.py", "def test_a(:\n", 0, 0},
		"go": {"a_test.go", `package a

import "testing"

func TestA(t *testing.T) {}
func TestB(t *testing.T) { if testing.Short() { t.Skip("x") } }
func Testify(t *testing.T) {}
func TestMain(m *testing.M) {}
func FuzzC(f *testing.F) {}
func BenchmarkD(b *testing.B) {}
func helper(t *testing.T) {}
`, 3, 1},
		"go with constraint": {"a_test.go", "//go:build slow\n\npackage a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {}\n", 0, 0},
		"go no test file":    {"a.go", "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {}\n", 0, 0},
		"mocha": {"a.test.js", `const { it, describe } = require('mocha');
describe('x', function () {
  it('a', () => {});
  it.skip('b', () => {});
  xit('c', () => {});
  describe.skip('y', () => { it('d', () => {}); });
  it('e', function () { this.skip(); });
  for (const x of list) it('loop', () => {});
  list.forEach(() => { it('loop', () => {}); });
});
test('f', async (t) => { await t.test('sub', () => {}); });
if (x) test('g', () => {});
test.each([1, 2])('h %i', () => {});
`, 6, 4},
		"typescript": {"a.test.ts", `import { test } from 'vitest'
test('a', (): void => {})
await test('b', () => {})
test('c', { skip: true }, () => {})
`, 3, 1},
		"java": {"ATest.java", `class ATest {
  @Test void a() {}
  @Test @Disabled void b() {}
  @ParameterizedTest @ValueSource(ints = {1}) void c(int x) {}
  void helper() {}
  @Nested class Inner { @Test void d() {} }
  class NotRun { @Test void e() {} }
}
abstract class Base { @Test void f() {} }
`, 4, 1},
		"c#": {"ATests.cs", `public class ATests {
  [Fact] public void A() {}
  [Fact(Skip = "x")] public void B() {}
  [Theory, InlineData(1)] public void C(int x) {}
  public void Helper() {}
}
`, 3, 1},
		"rust": {"src/lib.rs", `pub fn a() {}
#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn a_works() {}
    #[test]
    #[ignore]
    fn b() {}
    #[cfg(feature = "x")]
    #[test]
    fn c() {}
    #[tokio::test(flavor = "multi_thread")]
    async fn d() {}
    fn helper() {}
}
`, 3, 1},
		"minitest": {"test_a.rb", `require 'minitest/autorun'
class TestA < Minitest::Test
  def test_a; end
  def test_b
    skip 'x'
  end
  def helper; end
end
`, 2, 1},
		"rspec": {"a_spec.rb", `RSpec.describe Cart do
  it 'a' do
    expect(1).to eq(1)
  end
  xit('b') { }
  context 'x' do
    it('c') { }
    it 'pending without a block'
  end
  shared_examples('y') { it('d') { } }
end
`, 3, 1},
		"no language": {"a.md", "test\n", 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			got := testcount.Of(t.Context(), c.path, []byte(c.src))
			if want := (testcount.Count{Tests: c.tests, Skips: c.skips}); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

func FuzzOf(f *testing.F) {
	f.Add("a_test.py", "def test_a(): pass\n")
	f.Fuzz(func(t *testing.T, p, src string) {
		if c := testcount.Of(t.Context(), p, []byte(src)); c.Skips > c.Tests || c.Tests < 0 {
			t.Errorf("%+v", c)
		}
	})
}
