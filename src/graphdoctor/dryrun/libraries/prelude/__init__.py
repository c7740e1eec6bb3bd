"""Behaviour of libraries that forward to functions of the user, as Python that the dry run itself runs.

A module here is named after the library's namespace and is never imported: the interpreter reads it. Its
frames are transparent: whatever happens in it is recorded at the line of the user that called it.
"""
