/** The command and options of the extension, spoken with over the library that VS Code uses. */

import assert from "node:assert/strict";
import { ChildProcess, spawn } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { MessageConnection, StreamMessageReader, StreamMessageWriter, createMessageConnection } from "vscode-jsonrpc/node";
import { findGraphdoctor } from "../src/finding";
import { initializationOptions, serverCommand } from "../src/options";

const TEXT = `import tensorflow as tf

@tf.function
def scale(x, step):
    return x * step

for step in range(9):
    scale(tf.ones([3]), step)
`;
let server: ChildProcess;
let connection: MessageConnection;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "graphdoctor-"));
const uri = pathToFileURL(path.join(folder, "train.py")).toString();

before(async () => {
  const found = findGraphdoctor({
    setting: process.env.GRAPHDOCTOR,
    folders: [path.resolve(__dirname, "../../../..")],
    searchPath: process.env.PATH ?? "",
  });
  if (found === undefined) {
    throw new Error("no graphdoctor in .venv, on the PATH, or in the variable GRAPHDOCTOR");
  }
  const { command, args } = serverCommand(found);
  server = spawn(command, args, { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
  connection = createMessageConnection(new StreamMessageReader(server.stdout!), new StreamMessageWriter(server.stdin!));
  connection.listen();
  await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri: pathToFileURL(folder).toString(),
    capabilities: {},
    initializationOptions: initializationOptions({ all: false, lenses: true, delay: 0 }),
  });
  await connection.sendNotification("initialized", {});
});

after(async () => {
  const ended = new Promise((resolve) => server.once("exit", resolve));
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  assert.equal(await ended, 0);
  connection.dispose();
});

function diagnostics(version: number): Promise<any[]> {
  return new Promise((resolve) => {
    const listening = connection.onNotification("textDocument/publishDiagnostics", (params: any) => {
      if (params.uri === uri && params.version === version) {
        listening.dispose();
        resolve(params.diagnostics);
      }
    });
  });
}

test("the server takes the options of the extension, and finds and fixes", async () => {
  const first = diagnostics(1);
  const textDocument = { uri, languageId: "python", version: 1, text: TEXT };
  await connection.sendNotification("textDocument/didOpen", { textDocument });
  const [found] = await first;
  assert.equal(found.code, "GD101");
  const actions: any = await connection.sendRequest("textDocument/codeAction", {
    textDocument: { uri },
    range: found.range,
    context: { diagnostics: [found] },
  });
  assert.ok(actions.some((action: any) => action.title.includes("(unsafe")));
  const second = diagnostics(2);
  await connection.sendNotification("textDocument/didChange", {
    textDocument: { uri, version: 2 },
    contentChanges: [{ text: TEXT.replace("range(9)", "tf.range(9)") }],
  });
  assert.deepEqual(await second, []);
});
