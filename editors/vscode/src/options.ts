/** What is said to the server when it starts. Knows nothing of VS Code. */

import { Command } from "./finding";

export interface Settings {
  all: boolean;
  lenses: boolean;
  delay: number;
}

/** The command line of the server. */
export function serverCommand(graphdoctor: Command): Command {
  return { command: graphdoctor.command, args: [...graphdoctor.args, "server", "--stdio"] };
}

/** The initialization options. */
export function initializationOptions(settings: Settings): Settings {
  return { all: settings.all, lenses: settings.lenses, delay: settings.delay };
}

/** The texts that the server is asked about. */
export const DOCUMENTS = [
  { scheme: "file", language: "python" },
  { scheme: "untitled", language: "python" },
];

/** Shown where no graphdoctor is found. */
export const NOT_FOUND =
  "No graphdoctor found. Install it in the environment of your project: pip install 'graphdoctor[lsp]'";
