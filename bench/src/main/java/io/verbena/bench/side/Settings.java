package io.verbena.bench.side;

/// The settings of contestants on the command line.
///
/// - `ucx`: the program `ucx_perftest`
/// - `network`: between the two sides of contestants that use one
public record Settings(String ucx, Network network) {
    public static final Settings DEFAULT = new Settings("ucx_perftest", Network.LOOPBACK);
}
