import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { test } from "node:test";
import { findGraphdoctor } from "../src/finding";

function program(folder: string, executable = true): string {
  const file = path.join(folder, "graphdoctor");
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(file, "");
  fs.chmodSync(file, executable ? 0o755 : 0o644);
  return file;
}

test("the setting comes first, then the interpreter, .venv, and PATH", () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "graphdoctor-"));
  const chosen = program(path.join(root, "chosen"));
  const local = program(path.join(root, "project", ".venv", "bin"));
  const global = program(path.join(root, "bin"));
  const python = path.join(root, "chosen", "python");
  const all = { folders: [path.join(root, "project")], searchPath: path.join(root, "bin"), platform: "linux" } as const;
  assert.equal(findGraphdoctor({ ...all, setting: "/own", interpreter: python })?.command, "/own");
  assert.equal(findGraphdoctor({ ...all, interpreter: python })?.command, chosen);
  assert.equal(findGraphdoctor(all)?.command, local);
  assert.equal(findGraphdoctor({ ...all, folders: [root] })?.command, global);
  assert.equal(findGraphdoctor({ ...all, folders: [], searchPath: "" }), undefined);
});

test("a file that cannot be run is no graphdoctor, nor is a folder", () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "graphdoctor-"));
  program(path.join(root, "text"), false);
  fs.mkdirSync(path.join(root, "folder", "graphdoctor"), { recursive: true });
  const searchPath = [path.join(root, "text"), path.join(root, "folder")].join(path.delimiter);
  assert.equal(findGraphdoctor({ folders: [], searchPath, platform: "linux" }), undefined);
});
