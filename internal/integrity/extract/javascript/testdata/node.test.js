const test = require("node:test");
const assert = require("node:assert/strict");
const { toRoman, fromRoman } = require("../lib/roman");

const CASES = [
  [1, "I"],
  [4, "IV"],
];

test("table", () => {
  for (const [n, want] of CASES) assert.equal(toRoman(n), want);
  [[9, "IX"], [40, "XL"]].forEach(([n, want]) => {
    if (n > 10) return;
    assert.equal(toRoman(n), want);
  });
});

test("swallowed", () => {
  for (const n of [1, 9]) {
    try {
      assert.equal(fromRoman(toRoman(n)), n);
    } catch (err) {
      console.warn(err.message);
    }
  }
});

test("kept", () => {
  try {
    toRoman(0);
    assert.fail("expected an error");
  } catch (err) {
    if (!(err instanceof RangeError)) throw err;
  } finally {
    cleanup();
  }
});

test("options", { skip: true, timeout: 100 }, () => {});
test("throws", async (t) => {
  assert.throws(() => toRoman(0), RangeError);
  assert.throws(() => { toRoman(4000); }, { name: "RangeError" }, "message");
  assert.rejects(load(), /x/);
  await assert.rejects(load(), /x/);
  assert.doesNotThrow(() => toRoman(1));
  assert(toRoman(1) === "I" && toRoman(2) === "II");
  assert.ok(["I", "II"].includes(toRoman(1)));
  t.skip("later");
  await t.test("sub", () => { assert.ok(true); });
  t.mock.method(Date, "now", () => 0);
});
test.todo("later");
test("pending");

function check(a, b) {
  if (a !== b) throw new Error("differ");
}

test("helpers", async () => {
  check(toRoman(1), "I");
  await withServer(async (s) => { assert.equal(await s.get(), 1); });
  withServer(async (s) => { assert.equal(await s.get(), 1); });
  const e = await load().catch(() => null);
  await load().then((x) => assert.equal(x, 1)).catch(() => {});
  process.exit(0);
});
