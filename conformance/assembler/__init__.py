"""The assembler of vectors: recipes in, bytes out. See ../README.md for the language."""
