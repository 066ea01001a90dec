package io.verbena.tools.perf;

import io.verbena.tools.perf.Loop.Phase;
import io.verbena.tools.perf.PerfParameters.AtomicType;
import io.verbena.tools.perf.PerfTest.Verb;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// What lies in the buffer, for `--verify`: a pattern where messages come from, zeros where they go to, and
/// after a run the pattern must be there, too. The loops stay as they are: what is compared is what the last
/// messages left, every byte of every place that was used. Atomics must have added up.
final class Contents {
    static final long ALL_RIGHT = -1;

    private final PerfParameters parameters;
    private final BufferLayout layout;
    private final MemorySegment memory;
    private final boolean client;

    Contents(Endpoint endpoint, boolean client) {
        this.parameters = endpoint.parameters();
        this.layout = endpoint.layout();
        this.memory = endpoint.buffer().memory();
        this.client = client;
    }

    /// Before a phase, while the peer waits.
    void prepare(int size, boolean verify) {
        if (verify) {
            boolean read = parameters.test().verb() == Verb.READ;
            for (int lane = 0; lane < parameters.queuePairs(); lane++) {
                MemorySegment send = memory.asSlice(layout.sendOffset(lane), layout.area());
                MemorySegment receive = memory.asSlice(layout.receiveOffset(lane), layout.receiveArea());
                (read ? send : receive).fill((byte) 0);
                fill(read ? receive : send, size);
            }
        } else if (parameters.test() == PerfTest.WRITE_LAT) {
            // the numbers of an earlier phase must not be taken for those of this one
            memory.asSlice(layout.receiveOffset(0), size).fill((byte) 0);
        }
    }

    private void fill(MemorySegment area, int size) {
        for (int place = 0; place < layout.places(size); place++) {
            long base = (long) place * layout.stride(size);
            for (int i = 0; i < size; i++) {
                area.set(ValueLayout.JAVA_BYTE, base + i, pattern(size, i));
            }
        }
    }

    private static byte pattern(int size, int i) {
        return (byte) (i * 7 + (i >>> 8) + size * 13 + 1);
    }

    /// Where the first wrong byte is, counted from the start of this side's buffer.
    long firstWrong(Phase phase) {
        boolean arrived =
                parameters.bidirectional() || client == (parameters.test().verb() == Verb.READ);
        return switch (parameters.test()) {
            case SEND_LAT -> compare(layout.prefix(), phase.size(), phase.size(), 1);
            case WRITE_LAT -> compare(0, phase.size(), phase.size() - 1, 1);
            case SEND_BW -> arrived ? compare(layout.prefix(), phase.size(), phase.size(), 1) : ALL_RIGHT;
            case WRITE_BW, READ_BW -> arrived ? compare(0, phase.size(), phase.size(), places(phase)) : ALL_RIGHT;
            case READ_LAT -> arrived ? compare(0, phase.size(), phase.size(), 1) : ALL_RIGHT;
            case ATOMIC_LAT, ATOMIC_BW -> arrived ? sum(phase) : ALL_RIGHT;
        };
    }

    /// How many places surely were used.
    private int places(Phase phase) {
        if (phase.isTimed()) {
            return 1;
        }
        long used = Math.min(layout.places(phase.size()), phase.iterations());
        return (int) (parameters.postList() > 1 ? Math.min(used, parameters.postList()) : used);
    }

    private long compare(int prefix, int size, int length, int places) {
        boolean read = parameters.test().verb() == Verb.READ;
        for (int lane = 0; lane < parameters.queuePairs(); lane++) {
            long area = (read ? layout.sendOffset(lane) : layout.receiveOffset(lane)) + prefix;
            for (int place = 0; place < places; place++) {
                long base = area + (long) place * layout.stride(size);
                for (int i = 0; i < length; i++) {
                    if (memory.get(ValueLayout.JAVA_BYTE, base + i) != pattern(size, i)) {
                        return base + i;
                    }
                }
            }
        }
        return ALL_RIGHT;
    }

    /// Each queue pair's counters, one in each place, have counted every FETCH_AND_ADD; CMP_AND_SWAP leaves
    /// zeros.
    private long sum(Phase phase) {
        boolean adds = parameters.atomicType() == AtomicType.FETCH_AND_ADD;
        for (int lane = 0; lane < parameters.queuePairs(); lane++) {
            long area = layout.receiveOffset(lane);
            long sum = 0;
            for (int place = 0; place < layout.places(phase.size()); place++) {
                sum += memory.get(ValueLayout.JAVA_LONG_UNALIGNED, area + (long) place * layout.stride(phase.size()));
            }
            if (adds && phase.isTimed() ? sum <= 0 : sum != (adds ? phase.iterations() : 0)) {
                return area;
            }
        }
        return ALL_RIGHT;
    }
}
