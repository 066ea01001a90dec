package io.verbena.tools.perf;

/// READs or atomics, one after the other; the peer's program has nothing to do.
final class FetchLatency extends LatencyLoop {
    FetchLatency(PerfEndpoint endpoint, PeerWatch watch) {
        super(endpoint, watch, false);
    }

    @Override
    boolean turn(long n, Phase phase, long start) {
        post(queuePair);
        samples.record(); // now, while the request travels
        awaitSend(n);
        return isInTime(phase, start, samples.endRoundTrip());
    }
}
