package io.verbena.bench;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.BenchmarkParams;

/// The bare calls through method handles, with as little Java around them as possible: the cost of FFM.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("restricted")
public class FromJava {
    private static final MethodHandle POST =
            Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle POLL =
            Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG));
    private static final long POLL_AT = 96;
    private static final long POST_SEND_AT = 208;
    private static final long POST_RECEIVE_AT = 216;
    private static final long NEXT_AT = 8;
    private static final long BUFFERS_AT = 16;
    private static final long BUFFER_COUNT_AT = 24;
    private static final long REMOTE_ADDRESS_AT = 40;
    private static final long REQUEST_BYTES = 128;
    private static final long COMPLETION_BYTES = 48;
    private static final int CHAIN = Scenario.CHAIN;

    private MemorySegment postSend;
    private MemorySegment postReceive;
    private MemorySegment poll;
    private MemorySegment one;
    private MemorySegment chain;
    private MemorySegment completions;
    private long qp;
    private long cq;
    private long bad;
    private long count;

    @Setup
    public void setUp(BenchmarkParams benchmark) throws Throwable {
        Stub stub = Scenario.prepare(benchmark);
        qp = stub.qp();
        cq = stub.cq();
        postSend = Stub.operation(qp, POST_SEND_AT);
        postReceive = Stub.operation(qp, POST_RECEIVE_AT);
        poll = Stub.operation(cq, POLL_AT);
        one = requests(1);
        chain = requests(CHAIN);
        completions = Arena.global().allocate(COMPLETION_BYTES * CHAIN, 64);
        bad = Arena.global().allocate(JAVA_LONG).address();
    }

    private static MemorySegment requests(int count) {
        MemorySegment requests = Arena.global().allocate(REQUEST_BYTES * count, 64);
        for (int i = 0; i < count; i++) {
            long at = i * REQUEST_BYTES;
            requests.set(JAVA_LONG, at + NEXT_AT, i + 1 < count ? requests.address() + at + REQUEST_BYTES : 0);
            requests.set(
                    JAVA_LONG, at + BUFFERS_AT, Arena.global().allocate(16, 8).address());
            requests.set(JAVA_INT, at + BUFFER_COUNT_AT, 1);
        }
        return requests;
    }

    private void patch(MemorySegment requests) {
        count++;
        for (long at = 0; at < requests.byteSize(); at += REQUEST_BYTES) {
            requests.set(JAVA_LONG, at, count);
            requests.set(JAVA_LONG, at + REMOTE_ADDRESS_AT, 4096 + 64 * (count & 63));
        }
    }

    @Benchmark
    public int postSend() throws Throwable {
        patch(one);
        return (int) POST.invokeExact(postSend, qp, one.address(), bad);
    }

    @Benchmark
    public int postEightSends() throws Throwable {
        patch(chain);
        return (int) POST.invokeExact(postSend, qp, chain.address(), bad);
    }

    @Benchmark
    public int postReceive() throws Throwable {
        one.set(JAVA_LONG, 0, count++);
        return (int) POST.invokeExact(postReceive, qp, one.address(), bad);
    }

    @Benchmark
    public long pollEmpty() throws Throwable {
        return poll();
    }

    @Benchmark
    public long pollOne() throws Throwable {
        return poll();
    }

    @Benchmark
    public long pollEight() throws Throwable {
        return poll();
    }

    private long poll() throws Throwable {
        int n = (int) POLL.invokeExact(poll, cq, CHAIN, completions.address());
        long sum = n;
        for (int i = 0; i < n; i++) {
            sum += completions.get(JAVA_LONG, i * COMPLETION_BYTES);
            sum += completions.get(JAVA_INT, i * COMPLETION_BYTES + 8);
        }
        return sum;
    }
}
