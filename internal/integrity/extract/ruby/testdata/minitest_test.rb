require "minitest/autorun"
require_relative "../lib/roman"

class RomanTest < Minitest::Test
  ROWS = { 1 => "I", 4 => "IV" }

  def setup
    @roman = Roman.new
  end

  def test_rows
    ROWS.each { |n, want| assert_equal want, f(n) }
  end

  def test_assertions
    assert_equal "I", f(1), "message"
    assert f(1) == "I" && f(2) == "II"
    assert f(1)
    refute f(1).nil?
    assert_nil f(1)
    refute_nil f(1)
    assert_in_delta 0.1, f, 0.01
    assert_includes [1, 2], f
    assert_includes f, 1
    assert_match(/x/, f)
    assert_raises(ArgumentError, TypeError) { f(0) }
    assert_nothing_raised { f }
    assert_operator f, :<, 3
    assert_predicate f, :empty?
    assert_kind_of String, f
    assert_not_equal 1, f
    assert_valid f
    assert true
    skip
    flunk "x"
    _(f).must_equal 3
    f.wont_be_nil
    _ { f }.must_raise ArgumentError
    expect(f).must_be_close_to 1, 0.5
  end

  def helper(a) = assert_equal(1, a)

  def test_helper
    helper(f)
  rescue StandardError
    nil
  end

  test "named" do
    assert_equal 1, f
  end

  private

  def test_private
    assert_equal 1, f
  end
end

class LostTest
  def test_lost
    assert_equal 1, f
  end
end

describe "spec" do
  it "works" do
    _(f).must_equal %w[a b]
  end
end

class Roman
  def parse(x) = 1
end
