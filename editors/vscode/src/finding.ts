/** Where the environment's graphdoctor is. Knows nothing of VS Code. */

import * as fs from "node:fs";
import * as path from "node:path";

/** What to start: a program, and what comes before `server`, `run`, … */
export interface Command {
  command: string;
  args: string[];
}

export interface Places {
  /** The setting `graphdoctor.path`. */
  setting?: string;
  /** The interpreter that the Python extension has chosen. */
  interpreter?: string;
  /** The folders of the workspace, which may hold a `.venv`. */
  folders: readonly string[];
  /** The variable PATH. */
  searchPath: string;
  platform?: NodeJS.Platform;
}

/** The first graphdoctor of: the setting, the chosen interpreter's, that of `.venv`, and PATH. */
export function findGraphdoctor(places: Places): Command | undefined {
  const windows = (places.platform ?? process.platform) === "win32";
  const name = windows ? "graphdoctor.exe" : "graphdoctor";
  if (places.setting) {
    return { command: places.setting, args: [] };
  }
  const beside = places.interpreter ? [path.dirname(places.interpreter)] : [];
  const local = places.folders.map((folder) => path.join(folder, ".venv", windows ? "Scripts" : "bin"));
  const search = places.searchPath.split(path.delimiter).filter((folder) => folder !== "");
  for (const folder of [...beside, ...local, ...search]) {
    const file = path.join(folder, name);
    if (isProgram(file)) {
      return { command: file, args: [] };
    }
  }
  return undefined;
}

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
