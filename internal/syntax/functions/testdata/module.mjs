import { a } from "./a.mjs";
export class Store {
  #items = [];
  constructor(db) {
    this.db = db;
  }
  get(id) {
    throw new Error("not implemented");
  }
  list() {
    return [...this.#items];
  }
}
export async function load() {}
module.exports.save = function (x) {
  // later
};
setInterval(load, 1000);
