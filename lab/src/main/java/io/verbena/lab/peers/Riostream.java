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
///
/// A device may place the bytes of one WRITE in any order: with the kernel's soft-RoCE a C program that has seen the
/// last byte sometimes reads an old one before it. It then fails, closes, and hangs in `rclose`, because it has a map.
/// So the last byte is written here by itself when the others are there, and who reads waits for each byte.
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
        write(bytes.slice(0, size - 1), 0);
        write(bytes.slice(size - 1, 1), size - 1);
    }

    /// Returns when the bytes are in the peer's memory.
    private void write(ByteBuffer bytes, long offset) throws IOException {
        int size = bytes.remaining();
        int written = channel.write(bytes, offset);
        if (written != size) {
            throw new IOException("%d of %d bytes were written to the peer's map".formatted(written, size));
        }
    }

    private void receive(MemorySegment buffer) throws IOException {
        int last = (int) buffer.byteSize() - 1;
        long endNs = System.nanoTime() + LIMIT.toNanos();
        awaitByte(buffer, last, turn, endNs);
        for (int i = 0; i < last; i++) {
            awaitByte(buffer, i, received++, endNs);
        }
        turn++;
    }

    private void awaitByte(MemorySegment buffer, int at, int expected, long endNs) throws IOException {
        while ((byte) BYTE.getVolatile(buffer, (long) at) != (byte) expected) {
            if (System.nanoTime() - endNs > 0) {
                throw new IOException("turn %d did not come within %s: byte %d of %d is %d instead of %d"
                        .formatted(turn, LIMIT, at, buffer.byteSize(), buffer.get(ValueLayout.JAVA_BYTE, at), (byte)
                                expected));
            }
            Thread.onSpinWait();
        }
    }
}
