"""Mutation testing: small bugs put into the sources one by one, to see whether the tests notice each."""
