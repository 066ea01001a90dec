package io.verbena.tools.perf;

/// SEND ping-pong: the client begins, and each side answers as soon as the other's message arrives. Each request is
/// signaled and awaited, as in perftest.
final class SendLatency extends LatencyLoop {
    private final boolean client;

    SendLatency(PerfEndpoint endpoint, PeerWatch watch, boolean client) {
        super(endpoint, watch, true);
        this.client = client;
    }

    @Override
    boolean turn(long n, Phase phase, long start) {
        return client ? sendAndReceive(n, phase, start) : receiveAndSend(n, phase, start);
    }

    private boolean sendAndReceive(long n, Phase phase, long start) {
        post(queuePair);
        samples.record(); // now, while the message travels
        awaitSend(n);
        return awaitReceive(n, phase, start) && isInTime(phase, start, samples.endRoundTrip());
    }

    private boolean receiveAndSend(long n, Phase phase, long start) {
        if (!awaitReceive(n, phase, start)) {
            return false;
        }
        post(queuePair);
        awaitSend(n);
        return true;
    }
}
