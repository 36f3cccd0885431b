"""The one kind of error that a user can cause: a file or an argument that is not as it should be."""


class DollopError(Exception):
    """Its text is one line that says what is wrong, in which file, and where it helps how to mend it."""
