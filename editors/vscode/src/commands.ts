/** What the commands of the editor run in a terminal. Knows nothing of VS Code. */

import * as path from "node:path";
import { Command } from "./finding";

export const REPORT = path.join(".graphdoctor", "report.html");
export const EXPLANATION = path.join(".graphdoctor", "explanation.html");

/** `graphdoctor run FILE`, which writes its page. */
export function runCommand(graphdoctor: Command, file: string): string[] {
  return [graphdoctor.command, ...graphdoctor.args, "run", "-o", REPORT, file];
}

/** `graphdoctor fix FILE`: the fixes, and the proof that they compute the same. */
export function fixCommand(graphdoctor: Command, file: string): string[] {
  return [graphdoctor.command, ...graphdoctor.args, "fix", file];
}

/** `graphdoctor explain FILE:FUNCTION`, which writes its page. */
export function explainCommand(graphdoctor: Command, file: string, name: string): string[] {
  return [graphdoctor.command, ...graphdoctor.args, "explain", `${file}:${name}`, "-o", EXPLANATION];
}

const DEFINITION = /^(\s*)(?:async\s+def|def|class)\s+(\w+)/;
const DECORATOR = /^\s*@/;

/** The qualified name of the function around a line (counted from 0): `Model.call`. */
export function functionAround(lines: readonly string[], line: number): string | undefined {
  let first = line;
  while (first < lines.length - 1 && DECORATOR.test(lines[first])) {
    first += 1;
  }
  const names: string[] = [];
  let indent = Infinity;
  let isFunction = false;
  for (let index = Math.min(first, lines.length - 1); index >= 0; index -= 1) {
    const text = lines[index];
    if (text.trim() === "" || text.trimStart().startsWith("#")) {
      continue;
    }
    const found = DEFINITION.exec(text);
    const depth = text.length - text.trimStart().length;
    if (found !== null && depth < indent) {
      if (names.length === 0) {
        isFunction = !/^\s*class\b/.test(text);
      }
      names.unshift(found[2]);
    }
    indent = found !== null || index !== first || depth === 0 ? Math.min(indent, depth) : depth + 1;
    if (indent === 0) {
      break;
    }
  }
  return isFunction ? names.join(".") : undefined;
}

/** One line for a terminal: each word quoted where the shell would take it apart. */
export function quoted(words: readonly string[], platform: NodeJS.Platform = process.platform): string {
  const quote = platform === "win32" ? quoteForPowerShell : quoteForShell;
  const line = words.map(quote).join(" ");
  return platform === "win32" && line.startsWith("'") ? `& ${line}` : line;
}

function quoteForShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function quoteForPowerShell(word: string): string {
  return /^[\w+=:./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", "''")}'`;
}
