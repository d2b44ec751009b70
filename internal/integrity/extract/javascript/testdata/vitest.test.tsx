// @vitest-environment jsdom
import { describe, expect, it, vi } from "vitest";
import type { Row } from "../types";
import Price, { format as fmt, type Money } from "../price";

vi.mock("../rates", () => ({ load: vi.fn() }));
vi.mock(import("../other"), async (original) => ({ ...(await original()), a: 1 }));

type Case = { a: number };
interface X { a: string }

const rows: Case[] = [{ a: 1 }, { a: 2 }];

describe.each`
  a    | b    | sum
  ${1} | ${1} | ${2}
  ${1} | ${2} | ${3}
`("$a + $b", ({ a, b, sum }) => {
  it("adds", () => { expect(add(a, b)).toBe(sum); });
});

it.each(rows)("row $a", ({ a }: Case) => { expect(f(a)!).toEqual<number>(a as number); });
it.each([[1, 2], [3, 4]] as const)("%i", (a, b) => { expect(f(a)).toBe(b); });
it.skipIf(process.env.CI)("conditional", () => {});
it("retried", { retry: 3 }, async () => {
  await expect(load("x")).rejects.toThrow("unknown");
  expect(load("x")).rejects.toThrow("unknown");
  void expect(load("x").catch(() => "unknown")).resolves;
  return expect(load("y")).resolves.toEqual({ id: expect.any(Number), n: 1 });
});
it("matchers", () => {
  expect.assertions(3);
  expect(f()).toBeCloseTo(0.3, 5);
  expect(f()).toEqual(expect.anything());
  expect(f()).not.toBeNull();
  expect(f()).toBeUndefined();
  expect(f() === 1).toBe(true);
  expect([1, 2]).toContain(f());
  expect(f().length).toBe(3);
  expect(f()).toHaveLength(3);
  expect(() => f(0)).toThrow(RangeError);
  expect(() => f(0)).not.toThrow();
  expect(f()).toMatchInlineSnapshot(`"a"`);
  expect(f()).toMatchObject({ a: 1 });
  expect(f()).toHaveProperty("a.b", 1);
  expect(fn).toHaveBeenCalledWith(1, "a");
  expect(f()).toBe;
  expect(f());
  expect(1).toBe(1);
  expect(f() || true).toBeTruthy();
  expect(f()).toBeGreaterThanOrEqual(1);
  vi.spyOn(price, "load").mockReturnValue(1);
  vi.spyOn(console, "log");
  const el = render(<Price value={1}>  text
    more </Price>);
  switch (f()) { case 1: expect(f()).toBe(1); break; default: throw new Error() }
  while (x) { x--; }
  cond && expect(f()).toBe(1);
  cond ? expect(f()).toBe(1) : expect(f()).toBe(2);
  expectTypeOf(f()).toEqualTypeOf<string>();
  await Promise.all([expect(a()).resolves.toBe(1), expect(b()).resolves.toBe(2)]);
  await waitFor(() => expect(f()).toBe(1));
  rows.map(async (r) => { await expect(g(r)).resolves.toBe(1); });
});
