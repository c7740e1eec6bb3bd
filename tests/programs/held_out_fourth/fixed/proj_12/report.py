def summarise(values):
    """{'loss': [..]} -> 'loss 0.1234'"""
    parts = []
    for name, seen in sorted(values.items()):
        parts.append("%s %.4f" % (name, sum(float(v) for v in seen) / len(seen)))
    return "  ".join(parts)
