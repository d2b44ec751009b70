require "spec_helper"

RSpec.describe Roman, "numerals", type: :model, focus: true do
  include Helpers

  let(:x) { 1 }
  let!(:list) do
    [1, 2]
  end
  subject(:roman) { described_class.new(x) }
  before(:each) { reset }
  after { cleanup; done }

  CASES = [[1, "I"], [4, "IV"]].freeze

  shared_examples "a number" do |n|
    it("is positive") { expect(n).to be > 0 }
  end

  it "has metadata", :skip, retry: 3, aggregate: true do
    expect(roman).to eq(1)
  end

  it { is_expected.to be_valid }
  xit "is skipped" do
    expect(1).to eq(2)
  end
  it "is pending"
  pending "is pending too" do
    expect(f).to eq(1)
  end
  fit("is focused") { expect(true).to be true }
  it_behaves_like "a number", 3

  CASES.each do |n, want|
    it "converts #{n}" do
      expect(f(n)).to eq(want)
    end
  end

  it "matches" do
    expect(f 1).to eq "I"
    expect(f(1)).to eql("I"), "message"
    expect(f).to be_nil
    expect(f).not_to be_nil
    expect(f).to eq(nil)
    expect(f).to be(true)
    expect(f == 1).to be true
    expect(f.size).to eq(3)
    expect(f).to be_within(0.1).of(3.14)
    expect(f).to have_attributes(a: 1, "b" => 2)
    expect(f).to include(1, 2).and start_with(1)
    expect(f).to match(/x/)
    expect(f).to match(a: kind_of(Integer))
    expect(f).to contain_exactly(1, 2)
    expect { f }.to raise_error(ArgumentError, /x/)
    expect { f }.to raise_error(ArgumentError) { |e| e.code }
    expect { f }.not_to raise_error
    expect { f }.to change { a.b }.by(2)
    expect(f).to be_a(String)
    expect(f).to
    expect(f)
    expect(1).to eq(1)
    expect(f).to all(be_positive)
    expect(f).to eq(1).or eq(2)
    f.should == 3
    f.should_not eq 4
    expect(f).to eq(<<~TEXT)
      hello
        world
    TEXT
  end

  it "mocks" do
    allow(Rates).to receive(:load).with("EUR").and_return(1)
    allow(Rates).to receive(:load).and_call_original
    allow_any_instance_of(Rates).to receive(:save)
    stub_const("Roman::MAX", 3)
    expect(mailer).to receive(:deliver).with(1).once
    expect(mailer).to have_received(:deliver).twice
    Roman.define_singleton_method(:parse) { |x| 1 }
    def Roman.parse(x) = 1
    Time.stub :now, 3 do
      expect(f).to eq 3
    end
  end

  it "handles" do
    begin
      expect(f).to eq(1)
    rescue RSpec::Expectations::ExpectationNotMetError, Other => e
      puts e
    ensure
      cleanup
    end
    expect(f).to eq(1) rescue nil
    return if ENV["CI"]
    skip "later" unless ready?
    raise "wrong" if f != 3
    raise "wrong" unless f
    a, b = f
    @y ||= 2
    case f
    when 1, 2 then expect(f).to eq 1
    else raise "x"
    end
    if f then g elsif h then expect(f).to eq(1) else i end
    [1, 2].each { |n| next if n > 1; expect(f(n)).to eq n }
    travel_to now do
      expect(f).to eq 1
    end
    f && expect(g).to(eq(1))
    exit 0
  end

  def same(a, b:, c: 3)
    expect(a).to eq(b)
  end

  if ENV["SLOW"]
    it("is slow") { same(f, b: 2) }
  end
end
