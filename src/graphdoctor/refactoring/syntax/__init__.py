"""Questions about source text, and small edits of it, that all refactorings share."""
