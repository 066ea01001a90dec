package io.verbena.tools.perf;

import io.verbena.tools.perf.MeasuringLoop.Phase;
import io.verbena.tools.perf.PerfParameters.AtomicType;
import io.verbena.tools.perf.PerfTest.Verb;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Fills and verifies the buffer for `--verify`: a pattern in the areas that messages come from, zeros in those they go
/// to. After a run the pattern must be in both. The measured loops do not change: only what the last messages left is
/// compared, every byte of every slot that was used. For atomics the counters must have the right sum.
record BufferVerifier(PerfParameters parameters, BufferLayout layout, MemorySegment memory, boolean client) {
    static final long ALL_RIGHT = -1;

    BufferVerifier(PerfEndpoint endpoint, boolean client) {
        this(endpoint.parameters(), endpoint.layout(), endpoint.buffer().memory(), client);
    }

    /// To be called before a phase, while the peer waits.
    void prepare(int size, boolean verify) {
        if (verify) {
            boolean read = parameters.test().verb() == Verb.READ;
            for (int queuePair = 0; queuePair < parameters.queuePairs(); queuePair++) {
                MemorySegment send = memory.asSlice(layout.sendOffset(queuePair), layout.area());
                MemorySegment receive = memory.asSlice(layout.receiveOffset(queuePair), layout.receiveArea());
                (read ? send : receive).fill((byte) 0);
                fill(read ? receive : send, size);
            }
        } else if (parameters.test() == PerfTest.WRITE_LAT) {
            // the numbers of an earlier phase must not be mistaken for those of this one
            memory.asSlice(layout.receiveOffset(0), size).fill((byte) 0);
        }
    }

    private void fill(MemorySegment area, int size) {
        for (int slot = 0; slot < layout.slots(size); slot++) {
            long base = (long) slot * layout.stride(size);
            for (int i = 0; i < size; i++) {
                area.set(ValueLayout.JAVA_BYTE, base + i, pattern(size, i));
            }
        }
    }

    private static byte pattern(int size, int i) {
        return (byte) (i * 7 + (i >>> 8) + size * 13 + 1);
    }

    /// Offset of the first wrong byte in this side's buffer, or [#ALL_RIGHT].
    long firstWrongByte(Phase phase) {
        boolean arrived =
                parameters.bidirectional() || client == (parameters.test().verb() == Verb.READ);
        return switch (parameters.test()) {
            case SEND_LAT -> compare(layout.prefix(), phase.size(), phase.size(), 1);
            case WRITE_LAT -> compare(0, phase.size(), phase.size() - 1, 1);
            case SEND_BW -> arrived ? compare(layout.prefix(), phase.size(), phase.size(), 1) : ALL_RIGHT;
            case WRITE_BW, READ_BW -> arrived ? compare(0, phase.size(), phase.size(), slots(phase)) : ALL_RIGHT;
            case READ_LAT -> arrived ? compare(0, phase.size(), phase.size(), 1) : ALL_RIGHT;
            case ATOMIC_LAT, ATOMIC_BW -> arrived ? sum(phase) : ALL_RIGHT;
        };
    }

    /// Number of slots that were certainly used.
    private int slots(Phase phase) {
        if (phase.isTimed()) {
            return 1;
        }
        long used = Math.min(layout.slots(phase.size()), phase.iterations());
        return (int) (parameters.postList() > 1 ? Math.min(used, parameters.postList()) : used);
    }

    private long compare(int prefix, int size, int length, int slots) {
        boolean read = parameters.test().verb() == Verb.READ;
        for (int queuePair = 0; queuePair < parameters.queuePairs(); queuePair++) {
            long area = (read ? layout.sendOffset(queuePair) : layout.receiveOffset(queuePair)) + prefix;
            for (int slot = 0; slot < slots; slot++) {
                long base = area + (long) slot * layout.stride(size);
                for (int i = 0; i < length; i++) {
                    if (memory.get(ValueLayout.JAVA_BYTE, base + i) != pattern(size, i)) {
                        return base + i;
                    }
                }
            }
        }
        return ALL_RIGHT;
    }

    /// With FETCH_AND_ADD the counters of each queue pair, one in each slot, must add up to the number of operations.
    /// CMP_AND_SWAP leaves zeros.
    private long sum(Phase phase) {
        boolean adds = parameters.atomicType() == AtomicType.FETCH_AND_ADD;
        for (int queuePair = 0; queuePair < parameters.queuePairs(); queuePair++) {
            long area = layout.receiveOffset(queuePair);
            long sum = 0;
            for (int slot = 0; slot < layout.slots(phase.size()); slot++) {
                sum += memory.get(ValueLayout.JAVA_LONG_UNALIGNED, area + (long) slot * layout.stride(phase.size()));
            }
            if (adds && phase.isTimed() ? sum <= 0 : sum != (adds ? phase.iterations() : 0)) {
                return area;
            }
        }
        return ALL_RIGHT;
    }
}
