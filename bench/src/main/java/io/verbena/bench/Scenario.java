package io.verbena.bench;

import org.openjdk.jmh.infra.BenchmarkParams;

/// The scenarios, each measured from C, from plain Java and through Verbena; the names are those of the benchmark
/// methods.
enum Scenario {
    POST_SEND("postSend", "post a WRITE, patched in place", 0),
    POST_EIGHT_SENDS("postEightSends", "post a chain of 8", 0),
    POST_RECEIVE("postReceive", "post a receive", 0),
    POLL_EMPTY("pollEmpty", "poll, nothing there", 0),
    POLL_ONE("pollOne", "poll, 1 completion", 1),
    POLL_EIGHT("pollEight", "poll, 8 completions", 8);

    /// Number of requests in the chain, and of completions asked for.
    static final int CHAIN = 8;

    private final String method;
    private final String title;
    private final int ready;

    Scenario(String method, String title, int ready) {
        this.method = method;
        this.title = title;
        this.ready = ready;
    }

    String method() {
        return method;
    }

    String title() {
        return title;
    }

    /// Loads the stub for the benchmark that is about to run.
    static Stub prepare(BenchmarkParams benchmark) throws Throwable {
        Stub stub = Stub.load();
        for (Scenario scenario : values()) {
            if (benchmark.getBenchmark().endsWith("." + scenario.method)) {
                stub.ready(scenario.ready);
            }
        }
        return stub;
    }
}
