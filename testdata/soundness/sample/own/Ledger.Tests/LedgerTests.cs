using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using FluentAssertions;
using Xunit;

namespace Ledger.Tests;

public class LedgerTests : IDisposable
{
    private const int Opening = 10_000;
    private readonly Ledger _ledger = new Ledger("EUR");

    public LedgerTests()
    {
        _ledger.Open("cash", Opening);
        _ledger.Open("rent");
    }

    public void Dispose() => _ledger.Dispose();

    [Fact]
    public void TransfersMoveMoneyOnce()
    {
        _ledger.Transfer("cash", "rent", 2_500);
        Assert.Equal(7_500, _ledger.Balance("cash"));
        Assert.Equal(2_500, _ledger.Balance("rent"));
        Assert.Equal(2, _ledger.Entries.Count);
        Assert.True(_ledger.Entries[0].Amount < 0 && _ledger.IsBalanced);
    }

    [Fact]
    public void RefusesWhatIsNotThere()
    {
        var error = Assert.Throws<InsufficientException>(() => _ledger.Transfer("cash", "rent", Opening + 1));
        Assert.Equal(1, error.Missing);
        error.Message.Should().StartWith("missing 1").And.NotContain("-");
        _ledger.Balance("cash").Should().Be(Opening);
    }

    [Theory]
    [InlineData("cash 10.00", "cash", 1000)]
    [InlineData("rent -2.5", "rent", -250)]
    [InlineData("rent 0", "rent", 0)]
    public void Parses(string line, string account, int cents)
    {
        var entry = Entry.Parse(line);
        Assert.Equal(account, entry.Account);
        Assert.Equal(cents, entry.Cents);
        Assert.Null(entry.Note);
    }

    [Fact]
    public async Task SavesAndLoads()
    {
        await _ledger.SaveAsync("ledger.json");
        var again = await Ledger.LoadAsync("ledger.json");
        Assert.Equal(_ledger.Sums(), again.Sums());
        Assert.NotSame(_ledger, again);
        await Assert.ThrowsAsync<FormatException>(() => Ledger.LoadAsync("broken.json"));
    }

    [Fact(Timeout = 2000)]
    public void SumsByAccount()
    {
        var want = new Dictionary<string, int> { ["cash"] = 9_940, ["rent"] = 60 };
        _ledger.Transfer("cash", "rent", 100);
        _ledger.Transfer("rent", "cash", 40);
        foreach (var pair in want)
        {
            _ledger.Sums()[pair.Key].Should().Be(pair.Value, "it was moved");
        }
        if (_ledger.Sums().Values.Any(v => v < 0))
        {
            throw new InvalidOperationException("negative");
        }
        Assert.Collection(_ledger.Entries.Take(2), e => Assert.Equal(-100, e.Amount), e => Assert.Equal(100, e.Amount));
    }
}
