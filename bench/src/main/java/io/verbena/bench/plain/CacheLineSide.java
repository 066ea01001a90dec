package io.verbena.bench.plain;

import io.verbena.bench.pair.BenchSide;
import io.verbena.bench.pair.Samples;
import io.verbena.bench.side.Measurement;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/// Ping-pong of a number, each direction in its own cache line that both processes map. Nothing that uses shared memory
/// can be faster.
final class CacheLineSide implements BenchSide {
    private static final VarHandle NUMBER = ValueLayout.JAVA_LONG.varHandle();
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final int THERE = 0;
    /// Processors fetch lines in pairs: the next line is not far enough.
    private static final int BACK = 256;

    private static final int BYTES = 4096;
    private static final long LIMIT_NS = 20_000_000_000L;
    private static final long LOOK_NS = 1_000_000;

    private Path file;
    private MemorySegment memory;
    private boolean client;
    private long base;

    CacheLineSide(List<String> arguments) {}

    @Override
    public String address() throws IOException {
        String name = "verbena-bench-" + ProcessHandle.current().pid() + "-";
        file = Files.isDirectory(SHARED_MEMORY)
                ? Files.createTempFile(SHARED_MEMORY, name, "")
                : Files.createTempFile(name, "");
        file.toFile().deleteOnExit();
        map(file);
        return file.toString();
    }

    /// The client has mapped the file when it writes its first number.
    @Override
    public void accept() throws IOException {
        long start = System.nanoTime();
        while ((long) NUMBER.getAcquire(memory, (long) THERE) == 0) {
            if (System.nanoTime() - start > LIMIT_NS) {
                throw new IOException("no client came within " + LIMIT_NS / 1_000_000_000 + " s");
            }
            LockSupport.parkNanos(LOOK_NS);
        }
        Files.deleteIfExists(file);
        base = 1;
    }

    @Override
    public void connect(String address) throws IOException {
        client = true;
        map(Path.of(address));
        NUMBER.setRelease(memory, (long) THERE, 1L);
        base = 1;
    }

    private void map(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, Arena.global());
        }
    }

    @Override
    public void prepare(Measurement measurement, long messages) {}

    @Override
    public void run(Measurement measurement, long messages, Samples samples) {
        long last = base + messages;
        if (client) {
            samples.begin();
            for (long n = base + 1; n <= last; n++) {
                NUMBER.setRelease(memory, (long) THERE, n);
                samples.record();
                await(BACK, n);
                samples.endRoundTrip();
            }
            samples.end();
        } else {
            for (long n = base + 1; n <= last; n++) {
                await(THERE, n);
                NUMBER.setRelease(memory, (long) BACK, n);
            }
        }
        base = last;
    }

    private void await(long offset, long number) {
        while ((long) NUMBER.getAcquire(memory, offset) != number) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new IllegalStateException("cannot delete " + file, e);
        }
    }
}
