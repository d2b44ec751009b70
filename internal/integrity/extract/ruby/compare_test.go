package ruby_test

import (
	"testing"

	"workflow-reviewer/internal/integrity/extract/extracttest"
)

func TestHonestSpecs(t *testing.T) {
	t.Parallel()
	extracttest.Changes(t, "testdata/compare/semver_spec.rb", []extracttest.Change{
		{Name: "comment", Old: "    Semver.reset\n", New: "    # starts anew\n    Semver.reset\n"},
		{Name: "brackets", Old: "expect(bumped.to_s).to eq(\"1.2.4\")", New: "expect(bumped.to_s).to eq \"1.2.4\""},
		{Name: "quotes", Old: `eq("1.2.4")`, New: `eq('1.2.4')`},
		{Name: "braces", Old: "  before do\n    Semver.reset\n  end", New: "  before { Semver.reset }"},
		{Name: "test added", Old: "  it \"raises on garbage\"", New: "  it \"is new\" do\n    expect(version.major).to eq(1)\n  end\n\n  it \"raises on garbage\""},
		{Name: "assertion added", Old: "      expect(bumped.to_s)", New: "      expect(bumped).to be_frozen\n      expect(bumped.to_s)"},
		{Name: "row added", Old: `    ["2.3.4", [2, 3, 4]],`, New: "    [\"2.3.4\", [2, 3, 4]],\n    [\"3.0.0\", [3, 0, 0]],"},
		{Name: "stricter list", Old: "match_array([1, 2, 4])", New: "eq([1, 2, 4])"},
		{Name: "stricter tolerance", Old: "be_within(0.01)", New: "be_within(0.001)"},
		{Name: "local renamed", Old: "bumped = version.bump(:patch)\n      expect(bumped.to_s).to eq(\"1.2.4\")\n      expect(bumped.parts).to match_array([1, 2, 4])\n      expect(bumped.weight).to be_within(0.01).of(1.5)\n      same(bumped.major, 1)", New: "next_one = version.bump(:patch)\n      expect(next_one.to_s).to eq(\"1.2.4\")\n      expect(next_one.parts).to match_array([1, 2, 4])\n      expect(next_one.weight).to be_within(0.01).of(1.5)\n      same(next_one.major, 1)"},
		{Name: "renamed", Old: `it "orders numerically"`, New: `it "orders by number"`},
		{Name: "message", Old: "to eq(-1)", New: "to eq(-1), \"wrong order\""},
		{Name: "to_not", Old: "same(bumped.major, 1)", New: "same(bumped.major, 1)\n      expect(bumped).to_not be_nil"},
		{Name: "specify", Old: `it "orders numerically"`, New: `specify "orders numerically"`},
	})
}

func TestCheatingSpecs(t *testing.T) {
	t.Parallel()
	extracttest.Changes(t, "testdata/compare/semver_spec.rb", []extracttest.Change{
		{Name: "removed", Old: "    expect(version <=> other).to eq(-1)\n", New: "", Want: []string{"assertion_removed 19 before"}},
		{Name: "truthy", Old: "eq(\"1.2.4\")", New: "be_truthy", Want: []string{"assertion_weakened 40 after"}},
		{Name: "not nil", Old: "to eq(\"1.2.4\")", New: "not_to be_nil", Want: []string{"assertion_weakened 40 after"}},
		{Name: "type", Old: "eq(\"1.2.4\")", New: "be_a(String)", Want: []string{"assertion_weakened 40 after"}},
		{Name: "include", Old: "eq(\"1.2.4\")", New: "include(\"1.2\")", Want: []string{"assertion_weakened 40 after"}},
		{Name: "start", Old: "eq(\"1.2.4\")", New: "start_with(\"1.\")", Want: []string{"assertion_weakened 40 after"}},
		{Name: "pattern", Old: "eq(\"1.2.4\")", New: "match(/\\d/)", Want: []string{"assertion_weakened 40 after"}},
		{Name: "described", Old: "eq(\"1.2.4\")", New: "match(a_kind_of(String))", Want: []string{"assertion_weakened 40 after"}},
		{Name: "or", Old: "eq(\"1.2.4\")", New: "eq(\"1.2.4\").or be_nil", Want: []string{"assertion_weakened|test_modified 40 after"}},
		{Name: "no matcher", Old: ".to eq(\"1.2.4\")", New: "", Want: []string{"assertion_weakened 40 after"}},
		{Name: "expected", Old: "eq(\"1.2.4\")", New: "eq(\"1.2.3\")", Want: []string{"expected_changed 40 after"}},
		{Name: "at least", Old: "be > version", New: "be >= version", Want: []string{"assertion_weakened 18 after"}},
		{Name: "xit", Old: `  it "raises on garbage"`, New: `  xit "raises on garbage"`, Want: []string{"test_skipped 33 after"}},
		{Name: "pending", Old: `it "raises on garbage"`, New: `pending "raises on garbage"`, Want: []string{"test_skipped 33 after"}},
		{Name: "skip metadata", Old: `it "raises on garbage" do`, New: `it "raises on garbage", skip: "later" do`, Want: []string{"test_skipped 33 after"}},
		{Name: "skip call", Old: "it \"raises on garbage\" do\n", New: "it \"raises on garbage\" do\n    skip \"later\"\n", Want: []string{"test_skipped 34 after"}},
		{Name: "skip if", Old: "it \"raises on garbage\" do\n", New: "it \"raises on garbage\" do\n    skip if ENV[\"CI\"]\n", Want: []string{"test_skipped 34 after"}},
		{Name: "fit", Old: `  it "raises on garbage"`, New: `  fit "raises on garbage"`, Want: []string{"test_focused 33 after"}},
		{Name: "focus", Old: "describe \"#bump\" do", New: "describe \"#bump\", :focus do", Want: []string{"test_focused 37 after"}},
		{Name: "xdescribe", Old: "  describe \"#bump\" do", New: "  xdescribe \"#bump\" do", Want: []string{"test_skipped 37 after"}},
		{Name: "early return", Old: "      bumped = version", New: "      next if ENV[\"CI\"]\n      bumped = version", Want: []string{"early_return 39 after"}},
		{Name: "row dropped", Old: "    [\"1.0.0\", [1, 0, 0]],\n", New: "", Want: []string{"params_dropped 25 before"}},
		{Name: "any error", Old: "raise_error(ArgumentError, /invalid version/)", New: "raise_error", Want: []string{"assertion_weakened 34 after"}},
		{Name: "base error", Old: "raise_error(ArgumentError, /invalid version/)", New: "raise_error(StandardError, /invalid version/)", Want: []string{"assertion_weakened 34 after"}},
		{Name: "message dropped", Old: "raise_error(ArgumentError, /invalid version/)", New: "raise_error(ArgumentError)", Want: []string{"assertion_weakened 34 after"}},
		{Name: "tolerance", Old: "be_within(0.01)", New: "be_within(1)", Want: []string{"tolerance_widened 42 after"}},
		{Name: "rescue nil", Old: "expect(bumped.to_s).to eq(\"1.2.4\")", New: "expect(bumped.to_s).to eq(\"1.2.4\") rescue nil", Want: []string{"exception_swallowed 40 after"}},
		{Name: "rescue", Old: "      same(bumped.major, 1)\n", New: "      same(bumped.major, 1)\n    rescue RSpec::Expectations::ExpectationNotMetError => e\n      warn e.message\n", Want: []string{"exception_swallowed 44 after"}},
		{Name: "one-liner weakened", Old: "is_expected.to be_stable", New: "is_expected.to be_truthy", Want: []string{"assertion_weakened|test_modified 22 after"}},
		{Name: "test deleted", Old: "  it { is_expected.to be_stable }\n", New: "", Want: []string{"test_deleted 22 before"}},
		{Name: "shared examples gone", Old: "\n  it_behaves_like \"a comparable\", \"1.0.0\"\n", New: "\n", Want: []string{"test_deleted 53 before"}},
		{Name: "unit stubbed", Old: "    Semver.reset\n", New: "    allow(Semver).to receive(:parse).and_return(:one)\n    Semver.reset\n", Want: []string{"mock_of_sut 10 after"}},
		{Name: "any instance", Old: "    Semver.reset\n", New: "    allow_any_instance_of(Semver).to receive(:>).and_return(true)\n    Semver.reset\n", Want: []string{"mock_of_sut 10 after"}},
		{Name: "constant stubbed", Old: "    Semver.reset\n", New: "    stub_const(\"Semver\", Fake)\n    Semver.reset\n", Want: []string{"mock_of_sut 10 after"}},
		{Name: "unit reopened", Old: "RSpec.describe Semver do", New: "class Semver\n  def >(other) = true\nend\n\nRSpec.describe Semver do", Want: []string{"mock_of_sut 4 after", "mock_of_sut 5 after"}},
		{Name: "let changed", Old: `let(:other) { described_class.parse("1.10.0") }`, New: `let(:other) { described_class.parse("9.9.9") }`, Want: []string{"fixture_changed 7 after"}},
		{Name: "helper neutered", Old: "    expect(a).to eq(b)\n", New: "    expect(a).to be_truthy\n", Want: []string{"helper_weakened 14 after"}},
		{Name: "message not awaited", Old: "expect(listener).to receive(:bumped).with(:patch).once", New: "allow(listener).to receive(:bumped)", Want: []string{"assertion_removed 48 before", "test_modified|mock_of_sut 48 after"}},
		{Name: "arguments dropped", Old: "receive(:bumped).with(:patch).once", New: "receive(:bumped)", Want: []string{"assertion_weakened 48 after"}},
		{Name: "any arguments", Old: ".with(:patch)", New: ".with(anything)", Want: []string{"assertion_weakened 48 after"}},
		{Name: "condition", Old: "    expect(version <=> other).to eq(-1)\n", New: "    expect(version <=> other).to eq(-1) if version\n", Want: []string{"assertion_weakened 19 after"}},
	})
}

func TestHonestMinitest(t *testing.T) {
	t.Parallel()
	extracttest.Changes(t, "testdata/compare/roman_test.rb", []extracttest.Change{
		{Name: "brackets", Old: `assert_equal 1994, @roman.from_roman("MCMXCIV")`, New: `assert_equal(1994, @roman.from_roman("MCMXCIV"), "reads")`},
		{Name: "underscore", Old: "4000", New: "4_000"},
		{Name: "row added", Old: "    9 => \"IX\",\n", New: "    9 => \"IX\",\n    40 => \"XL\",\n"},
		{Name: "test added", Old: "  def test_range", New: "  def test_zero\n    assert_nil @roman.zero\n  end\n\n  def test_range"},
		{Name: "renamed", Old: "def test_reading", New: "def test_reads_numerals"},
		{Name: "stricter delta", Old: "0.001", New: "0.0001"},
	})
}

func TestCheatingMinitest(t *testing.T) {
	t.Parallel()
	extracttest.Changes(t, "testdata/compare/roman_test.rb", []extracttest.Change{
		{Name: "row dropped", Old: "    4 => \"IV\",\n", New: "", Want: []string{"params_dropped 7 before"}},
		{Name: "renamed out", Old: "def test_range", New: "def check_range", Want: []string{"test_uncollected 21 before", "test_uncollected 21 after"}},
		{Name: "private", Old: "  def test_range", New: "  private\n\n  def test_range", Want: []string{"test_uncollected 21 before", "test_uncollected 23 after", "test_uncollected 26 before", "test_uncollected 28 after"}},
		{Name: "no test case", Old: "class RomanTest < Minitest::Test", New: "class RomanTest", Want: []string{"test_modified 4 before", "test_uncollected 15 before", "test_uncollected 15 after", "test_uncollected 21 before", "test_uncollected 21 after", "test_uncollected 26 before", "test_uncollected 26 after"}},
		{Name: "skip", Old: "  def test_range\n", New: "  def test_range\n    skip\n", Want: []string{"test_skipped 22 after"}},
		{Name: "return", Old: "  def test_range\n", New: "  def test_range\n    return\n", Want: []string{"early_return 22 after"}},
		{Name: "refute nil", Old: "assert_equal 1994, @roman", New: "refute_nil @roman", Want: []string{"assertion_weakened 27 after"}},
		{Name: "assert", Old: "assert_equal 1994, @roman", New: "assert @roman", Want: []string{"assertion_weakened 27 after"}},
		{Name: "any error", Old: "assert_raises(RangeError) { @roman.to_roman(0) }", New: "assert_raises { @roman.to_roman(0) }", Want: []string{"assertion_weakened 22 after"}},
		{Name: "delta", Old: "0.001", New: "10", Want: []string{"tolerance_widened 29 after"}},
		{Name: "rescue", Old: "    refute @roman.valid?(\"IIII\")\n", New: "    begin\n      refute @roman.valid?(\"IIII\")\n    rescue Minitest::Assertion\n    end\n", Want: []string{"exception_swallowed 32 after"}},
		{Name: "setup stubs", Old: "    @roman = Roman.new\n", New: "    Roman.define_method(:to_roman) { |n| \"I\" }\n    @roman = Roman.new\n", Want: []string{"mock_of_sut 12 after"}},
		{Name: "constant true", Old: "assert_equal 1994, @roman.from_roman(\"MCMXCIV\")", New: "assert true", Want: []string{"tautology|assertion_weakened|assertion_removed 27 after"}},
	})
}
