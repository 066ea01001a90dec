package io.verbena.lab.peers;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/// What `rstream` of rdmacm-utils exchanges, in both roles: 16 bytes each way, then in each iteration some transfers
/// from the client to the server
/// and as many back. Each direction counts its bytes up from 0, and both sides check them (`-T v`).
final class Rstream {
    /// All sizes of the program's own series.
    static final List<Integer> SIZES = List.of(
            64, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12_288, 16_384, 24_576, 32_768,
            49_152, 65_536, 98_304, 131_072, 196_608, 262_144, 393_216, 524_288, 786_432, 1_048_576, 1_572_864,
            2_097_152, 3_145_728, 4_194_304, 6_291_456);

    private static final int SYNC_BYTES = 16;

    private final Stream stream;
    private int sent;
    private int received;

    Rstream(Stream stream) {
        this.stream = stream;
    }

    void runClient(int size, int iterations, int transfers) throws IOException {
        send(SYNC_BYTES);
        receive(SYNC_BYTES);
        for (int i = 0; i < iterations; i++) {
            sendAll(size, transfers);
            receiveAll(size, transfers);
        }
    }

    void runServer(int size, int iterations, int transfers) throws IOException {
        receive(SYNC_BYTES);
        send(SYNC_BYTES);
        for (int i = 0; i < iterations; i++) {
            receiveAll(size, transfers);
            sendAll(size, transfers);
        }
    }

    private void sendAll(int size, int transfers) throws IOException {
        for (int i = 0; i < transfers; i++) {
            send(size);
        }
    }

    private void receiveAll(int size, int transfers) throws IOException {
        for (int i = 0; i < transfers; i++) {
            receive(size);
        }
    }

    private void send(int size) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(size);
        while (buffer.hasRemaining()) {
            buffer.put((byte) sent++);
        }
        stream.write(buffer.flip());
    }

    private void receive(int size) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(size);
        stream.read(buffer);
        for (int i = 0; i < size; i++) {
            if (buffer.get(i) != (byte) received) {
                throw new IOException(
                        "byte %d is %d instead of %d".formatted(received, buffer.get(i), (byte) received));
            }
            received++;
        }
    }
}
