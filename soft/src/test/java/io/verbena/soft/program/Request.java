package io.verbena.soft.program;

/// A request that was posted and has not ended: what it takes and puts here, what it reads there.
record Request(long wrId, Kind kind, Range source, Range landing, Range readThere, boolean throughWindow) {}
