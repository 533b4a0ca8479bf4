"""Hash-and-displace tables: rows of 12 bytes are found through a bucket's seed, which sends each of them to its own place.

A row's bucket is its hash with seed 0 modulo the number of seeds. A bucket of one row names its place as -(place + 1); one of several has
the first seed that sends every row to its place; where none is found among the first ones, its seed is -(rows + 1) and its rows are left
over, to be listed."""

ROW = 12
BASIS, PRIME, LOW64 = 0xCBF29CE484222325, 0x100000001B3, (1 << 64) - 1


def fnv(seed, row):
    h = seed or BASIS
    for byte in row:
        h = h * PRIME & LOW64 ^ byte
    return h


def first_seed(rows, bucket, tries):
    for seed in range(1, tries + 1):
        if all(fnv(seed, rows[i]) % len(rows) == i for i in bucket):
            return seed
    return None


def displace(data, n, tries):
    """The seeds, and the places of the rows that are left over."""
    rows = [data[i:i + ROW] for i in range(0, len(data), ROW)]
    seeds, rest = [0] * n, []
    for number in range(n):
        bucket = [i for i, row in enumerate(rows) if fnv(0, row) % n == number]
        if len(bucket) == 1:
            seeds[number] = -bucket[0] - 1
        elif bucket:
            seed = first_seed(rows, bucket, tries)
            seeds[number] = seed or -len(rows) - 1
            rest += [] if seed else bucket
    return seeds, rest


def words(numbers):
    return b"".join(n.to_bytes(4, "little", signed=True) for n in numbers)


def displace_seeds(data, n, tries):
    return words(displace(data, n, tries)[0])


def displace_rest(data, n, tries):
    return words(displace(data, n, tries)[1])
