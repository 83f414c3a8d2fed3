"""Bytes -> records: framing, checksums, torn tails, and the decoding of DebugEvents."""
