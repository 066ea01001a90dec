package io.verbena.soft.status;

import java.util.List;

/// A process with software devices.
///
/// @param program its main class, module or jar
/// @param startMs when it was started, in milliseconds since 1970
/// @param cpuNs the processor time that it has used
/// @param nowNs its clock, which only differences of are of use
/// @param leftOut connections that are not listed because there are too many
/// @param listening the addresses and ports of the connection manager's listeners
public record ProcessStatus(
        long pid,
        String program,
        long startMs,
        long cpuNs,
        long nowNs,
        int leftOut,
        List<String> listening,
        List<DeviceStatus> devices) {}
