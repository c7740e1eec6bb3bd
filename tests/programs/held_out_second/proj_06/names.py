def tag(*parts):
    return "/".join(str(p) for p in parts)
