package io.verbena.tools.top;

import java.util.List;

/// A process.
///
/// @param cpuPercent of one processor since the snapshot before; NaN in the first one
/// @param sentRate messages of all its connections, per second
/// @param leftOut connections that it did not list
/// @param problem why it told nothing; else empty
record ProcessRow(
        long pid,
        String program,
        long startMs,
        double cpuPercent,
        List<String> devices,
        int connections,
        double sentRate,
        double receivedRate,
        List<String> listening,
        int leftOut,
        String problem) {}
