"""What `check` finds and what the last run showed, in the editor: a language server."""
