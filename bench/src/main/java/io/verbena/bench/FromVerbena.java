package io.verbena.bench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/// The calls as programs make them, on a queue pair and a completion queue: the cost of FFM and Verbena's objects.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FromVerbena {
    private Rig rig;

    @Setup
    public void setUp(BenchmarkParams benchmark) throws Throwable {
        Scenario.prepare(benchmark);
        rig = new Rig();
    }

    @TearDown
    public void tearDown() {
        rig.close();
    }

    @Benchmark
    public boolean postSend() {
        return rig.postSend();
    }

    @Benchmark
    public int postEightSends() {
        return rig.postEightSends();
    }

    @Benchmark
    public boolean postReceive() {
        return rig.postReceive();
    }

    @Benchmark
    public long pollEmpty() {
        return rig.poll();
    }

    @Benchmark
    public long pollOne() {
        return rig.poll();
    }

    @Benchmark
    public long pollEight() {
        return rig.poll();
    }
}
