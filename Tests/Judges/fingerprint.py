"""The hash that stands for a long text in expectations."""


def fingerprint(text):
    """FNV-1a in 64 bits, as 16 hexadecimal digits."""
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = ((value ^ byte) * 0x100000001B3) % 2**64
    return "%016x" % value
