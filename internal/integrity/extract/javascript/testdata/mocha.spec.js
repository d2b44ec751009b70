import { expect } from "chai";
import sinon from "sinon";
import * as price from "../price";
import "./setup";

/** what is tested */
describe("outer", function () {
  this.retries(2);
  this.timeout(1000);
  const limit = 5;
  let server, other = 1;

  before(function () { server = start(); });
  beforeEach(async () => { await reset() });
  afterEach(cleanup);

  function same(a, b) { expect(a).to.deep.equal(b); }
  const near = (a) => expect(a).to.be.closeTo(1, 0.5);

  context("inner", () => {
    it("chains", () => {
      expect(f(1)).to.be.an("array").that.includes(2);
      expect(f(1)).to.have.property("a").that.equals(1);
      expect(f(1)).to.be.true;
      expect(f(1)).to.not.exist;
      expect(f(1)).to.equal;
      expect(f(1)).to.have.lengthOf(2).and.to.include(3);
      expect(() => f(0)).to.throw(RangeError, "range");
      f(1).should.equal(3);
      expect(spy).to.have.been.calledWith(1, 2);
      same(f(1), [1]);
      near(f(1));
    });
    it.skip("skipped", () => {});
    xit("skipped too", () => {});
    it("skips itself", function () { this.skip(); expect(1).to.equal(1); });
    it.only("focused", () => { expect(true).to.equal(true) });
    it("early", () => {
      if (!process.env.CI) return;
      expect(f()).to.equal(1);
    });
    it("done", (done) => {
      load((err, x) => { if (err) return done(err); expect(x).to.equal(1); done(); });
    });
  });

  for (const n of [1, 2]) {
    it(`works for ${n}`, () => expect(f(n)).to.equal(n));
  }
  [3, 4].forEach((n) => { it("works for " + n, () => { expect(f(n)).to.equal(n); }); });
  if (process.platform !== "win32") {
    it("on unix", () => { expect(f()).to.equal(2) });
  } else it("elsewhere", () => { expect(f()).to.equal(3) });
  (process.env.CI ? it : it.skip)("maybe", () => { expect(f()).to.equal(4) });

  it("mocks", () => {
    sinon.stub(price, "loadRates").returns(1);
    price.format = () => "";
    Date.now = () => 0;
    cb = sinon.stub();
    const spy = sinon.spy(price, "x");
  });
  return;
  it("never", () => {});
});
