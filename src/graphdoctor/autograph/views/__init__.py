"""What can be shown of a function: page, generated code, graph, log, cache key, retracing."""
