package io.verbena.bench.plain;

import io.verbena.bench.pair.BenchSide;
import io.verbena.bench.pair.Samples;
import io.verbena.bench.pair.Team;
import io.verbena.bench.side.Measurement;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Copies from one buffer to another, always the same two, with `memcpy` of the C library or `MemorySegment.copy`. Each
/// thread has two buffers. The other side has nothing to do. Arguments: `c` or `java`, the largest size, and the number
/// of threads.
final class CopySide implements BenchSide {
    private static final int PAGE = 4096;

    private final boolean c;
    private final Team team;
    private final List<Buffers> buffers;
    private boolean client;

    private record Buffers(MemorySegment from, MemorySegment to) {
        static Buffers of(int bytes) {
            return new Buffers(
                    Arena.global().allocate(bytes, PAGE).fill((byte) 1),
                    Arena.global().allocate(bytes, PAGE).fill((byte) 2));
        }
    }

    CopySide(List<String> arguments) {
        c = arguments.get(0).equals("c");
        int largest = Integer.parseInt(arguments.get(1));
        team = new Team(Integer.parseInt(arguments.get(2)));
        buffers =
                Stream.generate(() -> Buffers.of(largest)).limit(team.threads()).toList();
    }

    @Override
    public String address() {
        return "none";
    }

    @Override
    public void accept() {}

    @Override
    public void connect(String address) {
        client = true;
    }

    @Override
    public void prepare(Measurement measurement, long messages) {}

    @Override
    public void run(Measurement measurement, long messages, Samples samples) throws Exception {
        if (!client) {
            return;
        }
        int size = measurement.size();
        if (team.threads() == 1) {
            copy(buffers.getFirst(), size, messages, samples);
            return;
        }
        List<Team.Part> parts = new ArrayList<>();
        for (int i = 0; i < team.threads(); i++) {
            Buffers mine = buffers.get(i);
            long share = team.share(messages, i);
            parts.add(times -> copy(mine, size, share, times));
        }
        team.run(parts, samples);
    }

    private void copy(Buffers mine, int size, long messages, Samples samples) {
        MemorySegment from = mine.from();
        MemorySegment to = mine.to();
        samples.begin();
        if (c) {
            for (long n = 0; n < messages; n++) {
                Libc.memcpy(to.address(), from.address(), size);
            }
        } else {
            for (long n = 0; n < messages; n++) {
                MemorySegment.copy(from, 0, to, 0, size);
            }
        }
        samples.end();
    }

    @Override
    public void close() {
        team.close();
    }
}
