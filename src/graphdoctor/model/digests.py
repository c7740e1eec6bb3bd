"""Texts → short names for them, equal where they are equal."""

try:  # what `hashlib` offers, which loads OpenSSL first: a twentieth of the time of a warm `check`
    from _blake2 import blake2b
except ImportError:  # a Python that was built otherwise
    from hashlib import blake2b


def digest(content: bytes, size_bytes: int) -> str:
    """The digest of some bytes, in hexadecimal digits."""
    return blake2b(content, digest_size=size_bytes).hexdigest()
