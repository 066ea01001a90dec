package io.verbena.tools.perf;

/// The side whose memory is read or written: its program has nothing to do.
final class Waiter extends Loop {
    Waiter(Endpoint endpoint, Watch watch) {
        super(endpoint, watch);
    }

    @Override
    void run(Phase phase) {}

    @Override
    Result result(boolean complete) {
        return new Result(0, 0, 0, null, 0, complete);
    }
}
