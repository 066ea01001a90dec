package io.verbena.bench;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.BenchmarkParams;

/// The calls from C, in loops inside the stub: the cost in any language.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FromC {
    private static final int CALLS = 10_000;

    private MethodHandle postSend;
    private MethodHandle postReceive;
    private MethodHandle poll;
    private long qp;
    private long cq;

    @Setup
    public void setUp(BenchmarkParams benchmark) throws Throwable {
        Stub stub = Scenario.prepare(benchmark);
        postSend = stub.function("stub_post_sends", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);
        postReceive = stub.function("stub_post_receives", JAVA_LONG, JAVA_LONG, JAVA_LONG);
        poll = stub.function("stub_polls", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);
        qp = stub.qp();
        cq = stub.cq();
    }

    @Benchmark
    @OperationsPerInvocation(CALLS)
    public long postSend() throws Throwable {
        return (long) postSend.invokeExact(qp, 1, (long) CALLS);
    }

    @Benchmark
    @OperationsPerInvocation(CALLS)
    public long postEightSends() throws Throwable {
        return (long) postSend.invokeExact(qp, Scenario.CHAIN, (long) CALLS);
    }

    @Benchmark
    @OperationsPerInvocation(CALLS)
    public long postReceive() throws Throwable {
        return (long) postReceive.invokeExact(qp, (long) CALLS);
    }

    @Benchmark
    @OperationsPerInvocation(CALLS)
    public long pollEmpty() throws Throwable {
        return polls();
    }

    @Benchmark
    @OperationsPerInvocation(CALLS)
    public long pollOne() throws Throwable {
        return polls();
    }

    @Benchmark
    @OperationsPerInvocation(CALLS)
    public long pollEight() throws Throwable {
        return polls();
    }

    private long polls() throws Throwable {
        return (long) poll.invokeExact(cq, Scenario.CHAIN, (long) CALLS);
    }
}
