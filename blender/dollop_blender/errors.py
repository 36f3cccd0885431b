"""The error type for user mistakes: a wrong file or argument."""


class DollopError(Exception):
    """Its text is one line: what is wrong, in which file, and how to fix it if that helps."""
