package io.verbena.tools.top;

import io.verbena.soft.status.ProcessStatus;
import io.verbena.soft.status.StatusSocket;

/// What a process answered.
///
/// @param status null when it did not
/// @param problem why it did not; else empty
record Answer(StatusSocket socket, ProcessStatus status, String problem) {}
