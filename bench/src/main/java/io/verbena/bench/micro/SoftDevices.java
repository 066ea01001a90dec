package io.verbena.bench.micro;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// Post and poll on software devices as programs do it, with one thread for both ends, over each path.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SoftDevices {
    @Param({SoftPair.UDP, SoftPair.SHARED})
    public String path;

    private SoftPair pair;

    @Setup
    public void setUp() {
        pair = new SoftPair(path);
        pair.requirePath();
    }

    @TearDown
    public void tearDown() {
        pair.close();
    }

    @Benchmark
    public int pollEmpty() {
        return pair.pollEmpty();
    }

    @Benchmark
    @OperationsPerInvocation(SoftPair.BATCH)
    public int throughBothRings() {
        return pair.flush();
    }

    @Benchmark
    public int writeAndPoll() {
        return pair.write();
    }

    @Benchmark
    @OperationsPerInvocation(SoftPair.BATCH)
    public int manyWritesAndPoll() {
        return pair.writes();
    }

    @Benchmark
    public int readAndPoll() {
        return pair.read();
    }

    @Benchmark
    public int fetchAndAddAndPoll() {
        return pair.fetchAndAdd();
    }

    @Benchmark
    public int sendReceiveAndPoll() {
        return pair.sendAndReceive();
    }
}
