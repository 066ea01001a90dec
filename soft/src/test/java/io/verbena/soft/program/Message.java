package io.verbena.soft.program;

/// What a receive must report. `bytes` is null for a message that leaves the receive's buffer alone.
record Message(byte[] bytes, int length, boolean hasImmediate, int immediate, int invalidatedKey) {}
