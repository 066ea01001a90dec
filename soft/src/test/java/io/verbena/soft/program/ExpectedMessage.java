package io.verbena.soft.program;

/// The message that a receive must report. `bytes` is null for a message that leaves the receive's buffer alone.
record ExpectedMessage(byte[] bytes, int length, boolean hasImmediate, int immediate, int invalidatedKey) {}
