package io.verbena.soft.program;

/// A request that was posted and has not ended: what it takes and puts here, what it reads there.
record PendingRequest(
        long wrId, StepKind kind, ByteRange source, ByteRange landing, ByteRange readThere, boolean throughWindow) {}
