package io.verbena.bench.micro;

import io.verbena.roce.header.Aeth;
import io.verbena.roce.header.Bth;
import io.verbena.roce.header.Reth;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/// The headers of a packet, written to and read from native memory.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Headers {
    private static final int RC_WRITE_ONLY = 0x0A;
    private static final int RETH_AT = Bth.BYTES;
    private static final int AETH_AT = RETH_AT + Reth.BYTES;

    private final MemorySegment packet = Arena.ofAuto().allocate(64, 64);
    private int psn;

    @Benchmark
    public MemorySegment writeBth() {
        psn++;
        Bth.write(packet, 0, RC_WRITE_ONLY, false, psn & 3, 17, (psn & 1) == 0, psn);
        return packet;
    }

    @Benchmark
    public int readBth() {
        return Bth.opcode(packet, 0)
                + Bth.version(packet, 0)
                + Bth.padCount(packet, 0)
                + Bth.partitionKey(packet, 0)
                + Bth.destinationQp(packet, 0)
                + (Bth.ackRequested(packet, 0) ? 1 : 0)
                + Bth.psn(packet, 0);
    }

    @Benchmark
    public MemorySegment writeReth() {
        psn++;
        Reth.write(packet, RETH_AT, 4096L + psn, 0x1100, 64);
        return packet;
    }

    @Benchmark
    public long readReth() {
        return Reth.virtualAddress(packet, RETH_AT) + Reth.rkey(packet, RETH_AT) + Reth.lengthUnsigned(packet, RETH_AT);
    }

    @Benchmark
    public MemorySegment writeAeth() {
        psn++;
        Aeth.write(packet, AETH_AT, 0x1F, psn);
        return packet;
    }

    @Benchmark
    public int readAeth() {
        return Aeth.syndrome(packet, AETH_AT) + Aeth.msn(packet, AETH_AT);
    }
}
