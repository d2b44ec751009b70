import { expect, it, describe, vi, beforeEach } from "vitest";
import { total, load, parse } from "../cart";
import * as rates from "../rates";

const CASES = [
  { input: "1.50", cents: 150 },
  { input: "0.05", cents: 5 },
  { input: "12", cents: 1200 },
];

function same(a: unknown, b: unknown) {
  expect(a).toStrictEqual(b);
}

describe("cart", () => {
  let cart: { items: number[] };

  beforeEach(() => {
    cart = { items: [1, 2, 3] };
  });

  it("adds up", () => {
    expect(total(cart.items)).toBe(6);
    expect(total([])).toBe(0);
  });

  it("keeps the items", () => {
    const before = structuredClone(cart);
    total(cart.items);
    expect(cart).toEqual(before);
    same(cart, before);
  });

  for (const { input, cents } of CASES) {
    it(`parses ${input}`, () => {
      expect(parse(input)).toBe(cents);
    });
  }

  it.each([
    ["1", 100],
    ["2", 200],
  ])("parses %s", (input, cents) => {
    expect(parse(input)).toEqual(cents);
  });

  it("rejects garbage", () => {
    expect(() => parse("x")).toThrow(RangeError);
    expect(() => parse("")).toThrowError(/empty/);
  });

  it("loads", async () => {
    const spy = vi.spyOn(rates, "fetchRates");
    await expect(load("EUR")).resolves.toMatchObject({ rate: 1 });
    await expect(load("XXX")).rejects.toThrow("unknown");
    expect(spy).toHaveBeenCalledTimes(2);
    expect(spy).toHaveBeenCalledWith("EUR");
  });

  it("is close", () => {
    expect(total([0.1, 0.2])).toBeCloseTo(0.3, 5);
    expect(total([1]) > 0).toBe(true);
    expect(Object.keys(cart)).toEqual(["items"]);
  });

  it("follows the snapshot", () => {
    expect(cart).toMatchSnapshot();
  });
});
