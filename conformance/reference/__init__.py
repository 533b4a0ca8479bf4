"""A reference reading of the formats, in another language and from the specification alone; see README.md."""
