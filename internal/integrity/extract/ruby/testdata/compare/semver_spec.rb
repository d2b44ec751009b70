require "spec_helper"
require_relative "../lib/semver"

RSpec.describe Semver do
  subject(:version) { described_class.parse("1.2.3") }

  let(:other) { described_class.parse("1.10.0") }

  before do
    Semver.reset
  end

  def same(a, b)
    expect(a).to eq(b)
  end

  it "orders numerically" do
    expect(other).to be > version
    expect(version <=> other).to eq(-1)
  end

  it { is_expected.to be_stable }

  [
    ["1.0.0", [1, 0, 0]],
    ["2.3.4", [2, 3, 4]],
  ].each do |text, parts|
    it "parses #{text}" do
      expect(described_class.parse(text).parts).to eq(parts)
    end
  end

  it "raises on garbage" do
    expect { Semver.parse("one.two") }.to raise_error(ArgumentError, /invalid version/)
  end

  describe "#bump" do
    it "raises the patch level" do
      bumped = version.bump(:patch)
      expect(bumped.to_s).to eq("1.2.4")
      expect(bumped.parts).to match_array([1, 2, 4])
      expect(bumped.weight).to be_within(0.01).of(1.5)
      same(bumped.major, 1)
    end

    it "tells the listener" do
      listener = double("listener")
      expect(listener).to receive(:bumped).with(:patch).once
      version.bump(:patch, listener: listener)
    end
  end

  it_behaves_like "a comparable", "1.0.0"
end
