import x from 'y';
declare function d(): void;
export interface I { a(): void; b: () => void; }
export type T = { a: string };
export abstract class A extends B {
  private x = 1;
  y = () => { throw new Error("x"); };
  constructor(private a: string, b) { super(a); this.b = b; }
  abstract foo(): void;
  bar(): number { throw new Error("no"); }
  over(a: string): void;
  over(a: any) { return undefined; }
  get z() { return this._z; }
  static { init(); }
  async q() { return Promise.reject(new Error("not implemented")); }
}
export const f = (x) => x + 1;
export const g = async (): Promise<void> => {};
function* gen() {}
export default function () { return null; }
app.get("/", (r) => { r.send(1) });
const o = { m() { return {}; }, n: function() { return []; } };
const e = () => ({});
const vv = () => { return null as any; };
const vw = () => { return {} as Foo; };
const vx = () => { return <Foo>{}; };
if (x) { y(); }
module.exports = { f };
'use strict';
const nn = () => { return null!; };
export const defaults = { onClose: () => {}, load: () => { throw new Error("not implemented"); } };
class Dialog { onOpen = () => {}; open() {} }
