package io.verbena.bench.plain;

import io.verbena.bench.pair.Samples;
import io.verbena.bench.pair.Side;
import io.verbena.bench.side.Measurement;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Copies from one buffer to another, always the same two, in one thread: with `memcpy` of the C library or with
/// `MemorySegment.copy`. The other side has nothing to do. Arguments: `c` or `java`, and the largest size.
final class CopySide implements Side {
    private static final int PAGE = 4096;

    private final boolean c;
    private final MemorySegment from;
    private final MemorySegment to;
    private boolean client;

    CopySide(List<String> arguments) {
        c = arguments.get(0).equals("c");
        int largest = Integer.parseInt(arguments.get(1));
        from = Arena.global().allocate(largest, PAGE).fill((byte) 1);
        to = Arena.global().allocate(largest, PAGE).fill((byte) 2);
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
    public void run(Measurement measurement, long messages, Samples samples) {
        if (!client) {
            return;
        }
        int size = measurement.size();
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
    public void close() {}
}
