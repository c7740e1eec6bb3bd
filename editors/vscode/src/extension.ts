/** The part that needs VS Code: starts the server, and gives the commands their file and their terminal. */

import * as fs from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import { EXPLANATION, REPORT, explainCommand, fixCommand, functionAround, quoted, runCommand } from "./commands";
import { Command, findGraphdoctor } from "./finding";
import { DOCUMENTS, NOT_FOUND, initializationOptions, serverCommand } from "./options";

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const command = (name: string, action: () => Promise<void>) =>
    context.subscriptions.push(vscode.commands.registerCommand(`graphdoctor.${name}`, action));
  command("run", () => inTerminal((graphdoctor, file) => runCommand(graphdoctor, file), REPORT));
  command("fix", () => inTerminal((graphdoctor, file) => fixCommand(graphdoctor, file)));
  command("explain", explain);
  command("restart", restart);
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("graphdoctor")) {
        await restart();
      }
    }),
  );
  await restart();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

async function restart(): Promise<void> {
  await client?.stop();
  client = undefined;
  const graphdoctor = await find();
  if (graphdoctor === undefined) {
    void vscode.window.showWarningMessage(NOT_FOUND);
    return;
  }
  const settings = vscode.workspace.getConfiguration("graphdoctor");
  client = new LanguageClient("graphdoctor", "graphdoctor", serverCommand(graphdoctor), {
    documentSelector: DOCUMENTS,
    initializationOptions: initializationOptions({
      all: settings.get("all", false),
      lenses: settings.get("lenses", true),
      delay: settings.get("delay", 0.1),
    }),
  });
  await client.start();
}

async function find(): Promise<Command | undefined> {
  return findGraphdoctor({
    setting: vscode.workspace.getConfiguration("graphdoctor").get("path", ""),
    interpreter: await chosenInterpreter(),
    folders: (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath),
    searchPath: process.env.PATH ?? "",
  });
}

/** The interpreter that the Python extension uses, if it is there. */
async function chosenInterpreter(): Promise<string | undefined> {
  const python = vscode.extensions.getExtension("ms-python.python");
  const api = python === undefined ? undefined : await python.activate();
  const resource = vscode.window.activeTextEditor?.document.uri;
  return api?.settings?.getExecutionDetails?.(resource)?.execCommand?.[0];
}

async function explain(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const lines = editor?.document.getText().split(/\r\n|\r|\n/) ?? [];
  const name = editor === undefined ? undefined : functionAround(lines, editor.selection.active.line);
  if (name === undefined) {
    void vscode.window.showInformationMessage("Put the cursor into the function to explain.");
    return;
  }
  await inTerminal((graphdoctor, file) => explainCommand(graphdoctor, file, name), EXPLANATION);
}

/** Run a command on the active file, and open the page that it writes. */
async function inTerminal(line: (graphdoctor: Command, file: string) => string[], page?: string): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  const graphdoctor = await find();
  if (document === undefined || document.isUntitled) {
    void vscode.window.showInformationMessage("Open and save the Python file first.");
    return;
  }
  if (graphdoctor === undefined) {
    void vscode.window.showWarningMessage(NOT_FOUND);
    return;
  }
  await document.save();
  const folder = vscode.workspace.getWorkspaceFolder(document.uri)?.uri.fsPath ?? path.dirname(document.fileName);
  fs.mkdirSync(path.join(folder, ".graphdoctor"), { recursive: true });
  const terminal = vscode.window.createTerminal({ name: "graphdoctor", cwd: folder });
  terminal.show();
  terminal.sendText(quoted(line(graphdoctor, path.relative(folder, document.fileName))));
  if (page !== undefined) {
    openWhenWritten(path.join(folder, page), terminal);
  }
}

/** Open a page in the browser when the command has written it. */
function openWhenWritten(page: string, terminal: vscode.Terminal): void {
  const before = writtenAt(page);
  const watching = fs.watch(path.dirname(page), () => {
    if (writtenAt(page) > before) {
      done();
      void vscode.env.openExternal(vscode.Uri.file(page));
    }
  });
  const closing = vscode.window.onDidCloseTerminal((closed) => closed === terminal && done());
  const done = () => {
    watching.close();
    closing.dispose();
  };
}

function writtenAt(file: string): number {
  return fs.existsSync(file) ? fs.statSync(file).mtimeMs : 0;
}
