"""What a finished trace is: its size, its operations by line, its variables, its compilations."""
