"""The one exception of this workload: asked to the user in one line, without a traceback."""


class SpeechError(ValueError):
    """Settings, texts or audio from which nothing can be trained or spoken."""
