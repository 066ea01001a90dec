package io.verbena.bench.side;

/// The settings of contestants on the command line.
///
/// - `ucx`: the program `ucx_perftest`
public record Settings(String ucx) {
    public static final Settings DEFAULT = new Settings("ucx_perftest");
}
