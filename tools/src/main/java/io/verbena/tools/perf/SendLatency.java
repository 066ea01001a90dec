package io.verbena.tools.perf;

/// SEND there, SEND back: the client begins, and each side answers as soon as the other's message is there.
/// Each request is signaled and awaited, as perftest does it.
final class SendLatency extends Loop {
    private final boolean client;
    private final Lane lane;
    private final Samples samples = new Samples(2);

    SendLatency(Endpoint endpoint, Watch watch, boolean client) {
        super(endpoint, watch);
        this.client = client;
        this.lane = lanes[0];
    }

    @Override
    void prepare(Phase phase) {
        super.prepare(phase);
        samples.restart(phase.size());
    }

    @Override
    void run(Phase phase) {
        long start = samples.start();
        long count = phase.messagesOrEndless();
        if (client) {
            for (long n = 1; n <= count && sendAndReceive(n, phase, start) && !isOverNow(n, phase, start); n++) {}
        } else {
            for (long n = 1; n <= count && receiveAndSend(n, phase, start) && !isOverNow(n, phase, start); n++) {}
        }
    }

    private boolean sendAndReceive(long n, Phase phase, long start) {
        post(lane);
        samples.recordPrevious(); // now, while the message travels
        awaitSend(n);
        if (!awaitReceive(n, phase, start)) {
            return false;
        }
        long now = samples.stamp();
        return !phase.isTimed() || now - start < phase.nanoseconds();
    }

    private boolean receiveAndSend(long n, Phase phase, long start) {
        if (!awaitReceive(n, phase, start)) {
            return false;
        }
        post(lane);
        awaitSend(n);
        return true;
    }

    @Override
    Result result(boolean complete) {
        return samples.result(complete);
    }
}
