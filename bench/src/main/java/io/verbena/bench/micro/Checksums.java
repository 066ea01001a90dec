package io.verbena.bench.micro;

import io.verbena.roce.header.Bth;
import io.verbena.roce.packet.Icrc;
import io.verbena.roce.packet.RoceConstants;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// The ICRC of a packet, beside the bare CRC-32 of its payload, which the JDK computes with vector instructions.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Checksums {
    /// 127.0.0.1 and 127.0.0.2 as GIDs.
    private static final long SOURCE = 0xFFFF_7F00_0001L;

    private static final long DESTINATION = 0xFFFF_7F00_0002L;
    private static final int PORT = 50_000;

    @Param({"64", "1024", "4096"})
    public int payloadBytes;

    private final Icrc icrc = new Icrc();
    private final CRC32 crc = new CRC32();
    private ByteBuffer packet;
    private int end;

    @Setup
    public void setUp() {
        end = Bth.BYTES + payloadBytes;
        packet = ByteBuffer.allocateDirect(end + RoceConstants.ICRC_BYTES);
        for (int i = 0; i < end; i++) {
            packet.put(i, (byte) (31 * i));
        }
        Icrc.store(packet, end, computeIcrc());
        if (!matchIcrc()) {
            throw new IllegalStateException("the ICRC of " + payloadBytes + " bytes does not match itself");
        }
    }

    @Benchmark
    public int computeIcrc() {
        return icrc.compute(0, SOURCE, 0, DESTINATION, PORT, 0, packet, 0, end);
    }

    @Benchmark
    public boolean matchIcrc() {
        return icrc.identification(0, SOURCE, 0, DESTINATION, PORT, packet, 0, end + RoceConstants.ICRC_BYTES) == 0;
    }

    @Benchmark
    public long bareCrc32() {
        crc.reset();
        crc.update(packet.limit(end).position(Bth.BYTES));
        packet.clear();
        return crc.getValue();
    }
}
