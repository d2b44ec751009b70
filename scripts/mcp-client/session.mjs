// Usage: node session.mjs COMMAND [ARG...]
// Connects the TypeScript SDK's client to a server over stdio, makes ten calls,
// and prints a JSON line for each: what came back, checked against the output
// schemas by the client itself.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: "session", version: "1" });
client.onerror = (e) => console.log(JSON.stringify({ protocol: String(e) }));
await client.connect(new StdioClientTransport({ command, args, env: process.env }));

const { tools } = await client.listTools();
console.log(JSON.stringify({ tools: tools.map((t) => t.name).sort() }));

const spec = "specs/proposed/login.md";
const calls = [
  ["request_spec_review", { spec_path: spec }],
  ["request_spec_review", { spec_path: "specs/none.md" }],
  ["request_spec_review", { spec_path: "../../../etc/passwd" }],
  ["request_roadmap_review", { roadmap_path: "ROADMAP.md" }],
  ["request_implementation_review", { implementation_files: ["src/login.py"], test_results: "all passing" }],
  ["check_integrity", {}],
  ["create_review", { change_id: "login", verdict: "NEEDS_FIX", summary: "Tests fail.", test_results: { passed: 1, failed: 1, total: 2 } }],
  ["create_review", { change_id: "login", verdict: "LGTM", summary: "Fine." }],
  ["request_immediate_test_review", { test_file: "tests/none.py", conflict: "It seems wrong." }],
  ["request_spec_review", { spec_path: spec, auto_move_on_approval: true }],
];
for (const [name, arguments_] of calls) {
  let progress = 0;
  const result = await client.callTool({ name, arguments: arguments_ }, undefined, { onprogress: () => progress++ });
  console.log(JSON.stringify({ name, error: result.isError ?? false, text: result.content[0]?.text, structured: result.structuredContent, progress }));
}
await client.close();
