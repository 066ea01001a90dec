package io.verbena.bench.side;

/// What the command line says to contestants.
///
/// - `ucx`: the program that stands for `ucx_perftest`
public record Settings(String ucx) {
    public static final Settings DEFAULT = new Settings("ucx_perftest");
}
