package io.verbena.tools.perf;

/// Takes messages and posts their receives again: the server of a SEND bandwidth test in one direction.
final class Receiver extends MeasuringLoop {
    private int size;
    private long startNs;

    Receiver(PerfEndpoint endpoint, PeerWatch watch) {
        super(endpoint, watch);
    }

    @Override
    void prepare(Phase phase) {
        super.prepare(phase);
        size = phase.size();
    }

    @Override
    void run(Phase phase) {
        startNs = System.nanoTime();
        long wanted = phase.isTimed() ? Long.MAX_VALUE : phase.iterations() * queuePairs.length;
        for (long turn = 1; receives < wanted; turn++) {
            if (!pollReceives(BATCH) && isOver(phase, startNs) || isOverInTurn(turn, phase, startNs)) {
                break;
            }
        }
        while (receiveCq.poll(onReceive, BATCH) > 0) {} // what came with the peer's last word
    }

    @Override
    PhaseResult result(boolean complete) {
        return new PhaseResult(size, receives, System.nanoTime() - startNs, null, 0, complete);
    }
}
