require "minitest/autorun"
require_relative "../lib/roman"

class RomanTest < Minitest::Test
  CASES = {
    1 => "I",
    4 => "IV",
    9 => "IX",
  }.freeze

  def setup
    @roman = Roman.new
  end

  def test_cases
    CASES.each do |number, numeral|
      assert_equal numeral, @roman.to_roman(number)
    end
  end

  def test_range
    assert_raises(RangeError) { @roman.to_roman(0) }
    assert_raises(RangeError) { @roman.to_roman(4000) }
  end

  def test_reading
    assert_equal 1994, @roman.from_roman("MCMXCIV")
    assert_nil @roman.from_roman("")
    assert_in_delta 0.5, @roman.weight("I"), 0.001
    refute @roman.valid?("IIII")
    assert_includes @roman.symbols, "M"
  end
end
