package io.verbena.lab.peers;

import io.verbena.sockets.RdmaMap;
import io.verbena.sockets.RdmaSocketChannel;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

/// What `riostream` of rdmacm-utils exchanges, in both roles. Each side maps a buffer, and 16 bytes each way tell the
/// other that it may write there. Then the sides write to each other's buffer in turn, without any message: the last
/// byte of a buffer counts the turns, and is what the other side watches. The bytes before it count up from 0 in each
/// direction (`-T v`).
final class Riostream {
    /// The sizes of the program's own short series.
    static final List<Integer> SIZES = List.of(64, 4096, 65_536, 1_048_576);

    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int SYNC_BYTES = 16;
    private static final byte NO_TURN = -1;

    private final RdmaSocketChannel channel;
    private int turn;
    private int sent;
    private int received;

    Riostream(RdmaSocketChannel channel) {
        this.channel = channel;
    }

    void runClient(int size, int iterations) throws IOException {
        run(true, size, iterations);
    }

    void runServer(int size, int iterations) throws IOException {
        run(false, size, iterations);
    }

    private void run(boolean isClient, int size, int iterations) throws IOException {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment buffer = arena.allocate(size);
            buffer.set(ValueLayout.JAVA_BYTE, size - 1, NO_TURN);
            try (RdmaMap _ = channel.map(buffer, 0)) {
                synchronize(isClient);
                for (int i = 0; i < iterations; i++) {
                    if (isClient) {
                        send(size);
                        receive(buffer);
                    } else {
                        receive(buffer);
                        send(size);
                    }
                }
                channel.shutdownOutput();
                awaitEnd(); // the peer may still write to the map
            }
        }
    }

    private void synchronize(boolean isClient) throws IOException {
        if (isClient) {
            write();
            read();
        } else {
            read();
            write();
        }
    }

    private void write() throws IOException {
        ByteBuffer sync = ByteBuffer.allocate(SYNC_BYTES);
        while (sync.hasRemaining()) {
            channel.write(sync);
        }
    }

    private void read() throws IOException {
        ByteBuffer sync = ByteBuffer.allocate(SYNC_BYTES);
        while (sync.hasRemaining()) {
            if (channel.read(sync) < 0) {
                throw new EOFException("the peer closed before it had mapped its buffer");
            }
        }
    }

    private void awaitEnd() throws IOException {
        if (channel.read(ByteBuffer.allocate(1)) >= 0) {
            throw new IOException("the peer sent more than it should");
        }
    }

    private void send(int size) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(size);
        while (bytes.remaining() > 1) {
            bytes.put((byte) sent++);
        }
        bytes.put((byte) turn++).flip();
        int written = channel.write(bytes, 0);
        if (written != size) {
            throw new IOException("%d of %d bytes were written to the peer's map".formatted(written, size));
        }
    }

    private void receive(MemorySegment buffer) throws IOException {
        int last = (int) buffer.byteSize() - 1;
        long startNs = System.nanoTime();
        while ((byte) BYTE.getVolatile(buffer, (long) last) != (byte) turn) {
            if (System.nanoTime() - startNs > LIMIT.toNanos()) {
                throw new IOException("turn %d did not come within %s, the last byte is %d"
                        .formatted(turn, LIMIT, buffer.get(ValueLayout.JAVA_BYTE, last)));
            }
            Thread.onSpinWait();
        }
        turn++;
        for (int i = 0; i < last; i++) {
            byte got = buffer.get(ValueLayout.JAVA_BYTE, i);
            if (got != (byte) received) {
                throw new IOException("byte %d is %d instead of %d".formatted(received, got, (byte) received));
            }
            received++;
        }
    }
}
