require "spec_helper"
require "ledger"

RSpec.describe Ledger do
  OPENING = 10_000

  subject(:ledger) { described_class.new(currency: "EUR") }

  let(:rates) { { "USD" => 1.1, "GBP" => 0.9 } }
  let(:clock) { instance_double(Clock, now: Time.utc(2024, 2, 29)) }

  before do
    ledger.open(:cash, OPENING)
    ledger.open(:rent)
    allow(Rates).to receive(:today).and_return(rates)
  end

  describe "#transfer" do
    it "moves money once" do
      ledger.transfer(:cash, :rent, 2_500)
      expect(ledger.balance(:cash)).to eq(7_500)
      expect(ledger.balance(:rent)).to eq(2_500)
      expect(ledger.entries.size).to eq 2
      expect(ledger.entries.first.amount).to be < 0
    end

    it "refuses what is not there" do
      expect { ledger.transfer(:cash, :rent, OPENING + 1) }
        .to raise_error(Ledger::Insufficient, /missing 1 cent/)
      expect(ledger).not_to be_empty
      expect(ledger.balance(:cash)).to equal(OPENING)
    end

    [0, -1, -250].each do |amount|
      it "refuses #{amount}" do
        expect { ledger.transfer(:cash, :rent, amount) }.to raise_error(ArgumentError)
      end
    end

    context "with a note" do
      it "keeps the note" do
        entry = ledger.transfer(:cash, :rent, 1, note: "March")
        expect(entry.note).to eql("March")
        expect(entry).to be_an_instance_of(Ledger::Entry)
        expect(entry.tags).to contain_exactly(:out, :fixed)
      end
    end
  end

  describe "#convert" do
    it "uses the rates of the day" do
      expect(ledger.convert(100, to: "USD")).to be_within(0.01).of(110)
      expect(ledger.convert(100, to: "GBP")).to eq(90.0)
      expect(Rates).to have_received(:today).twice
    end

    it "does not know other currencies" do
      expect(ledger.convert(100, to: "XXX")).to be_nil
      expect(ledger.currencies).to include("USD", "GBP")
      expect(ledger.currencies.all? { |c| c.length == 3 }).to be(true)
    end
  end

  describe "#statement" do
    it "has a line for each entry" do
      ledger.transfer(:cash, :rent, 1, at: clock.now)
      lines = ledger.statement.lines
      expect(lines[0]).to start_with("2024-02-29")
      expect(lines[-1]).to match(/\Arent\s+0\.01\z/)
      raise "too long" if lines.size > 2 && !ledger.verbose?
    end
  end
end
