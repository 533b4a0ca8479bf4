"""What can be wrong with a recipe."""


class VecError(Exception):
    """A mistake in a recipe, with its place."""

    def __init__(self, where, message):
        super().__init__(f"{where[0]}:{where[1]}: {message}")
