def unique_variables(parts):
    """The trainable variables of all parts, shared ones once."""
    seen = set()
    found = []
    for part in parts:
        for variable in part.trainable_variables:
            if id(variable) in seen:
                continue
            seen.add(id(variable))
            found.append(variable)
    return found
