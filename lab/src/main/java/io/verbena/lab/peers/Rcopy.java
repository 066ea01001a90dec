package io.verbena.lab.peers;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// What `rcopy` of rdmacm-utils exchanges, in both roles: a file is opened, written and closed at the server, each with
/// a header that is answered.
final class Rcopy {
    /// The server's port.
    static final int PORT = 7427;

    private static final int HEADER_BYTES = 16;
    private static final int CHUNK_BYTES = 1 << 20;
    private static final int VERSION = 0;
    private static final int OPEN = 1;
    private static final int CLOSE = 2;
    private static final int WRITE = 3;
    private static final int REPLY = 0x80;
    private static final int MODE = 0644;

    private final Stream stream;

    Rcopy(Stream stream) {
        this.stream = stream;
    }

    /// Sends a file, which gets a name at the server.
    void runClient(Path file, String name) throws IOException {
        byte[] path = name.getBytes(StandardCharsets.UTF_8);
        int padded = HEADER_BYTES + (path.length + 8 & ~7); // with at least one zero
        stream.write(header(OPEN, padded, MODE, 1, padded).put(path).position(0));
        requireReply(OPEN);
        long size = Files.size(file);
        int length = HEADER_BYTES + Long.BYTES;
        stream.write(header(WRITE, length, 0, 2, length).putLong(size).position(0));
        try (FileChannel content = FileChannel.open(file)) {
            ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
            while (content.read(chunk) >= 0) {
                stream.write(chunk.flip());
                chunk.clear();
            }
        }
        requireReply(WRITE);
        stream.write(header(CLOSE, HEADER_BYTES, 0, 3, HEADER_BYTES).position(0));
        requireReply(CLOSE);
    }

    /// Takes files until one is closed; returns its path.
    Path runServer() throws IOException {
        Path path = null;
        while (true) {
            ByteBuffer header = read(HEADER_BYTES);
            int command = header.get(1);
            int length = Short.toUnsignedInt(header.getShort(2));
            ByteBuffer rest = read(length - HEADER_BYTES);
            switch (command) {
                case OPEN -> path = Path.of(text(rest));
                case WRITE -> receive(path, rest.getLong());
                case CLOSE -> {}
                default -> throw new IOException("command " + command);
            }
            ByteBuffer reply = header(command | REPLY, HEADER_BYTES, 0, header.getLong(8), HEADER_BYTES);
            stream.write(reply.position(0));
            if (command == CLOSE) {
                return path;
            }
        }
    }

    private void receive(Path path, long size) throws IOException {
        try (FileChannel file = FileChannel.open(
                path, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            for (long left = size; left > 0; ) {
                ByteBuffer chunk = read((int) Math.min(left, CHUNK_BYTES));
                left -= chunk.remaining();
                while (chunk.hasRemaining()) {
                    file.write(chunk);
                }
            }
        }
    }

    private static String text(ByteBuffer padded) {
        String all = StandardCharsets.UTF_8.decode(padded).toString();
        int end = all.indexOf('\0');
        return end < 0 ? all : all.substring(0, end);
    }

    private void requireReply(int command) throws IOException {
        ByteBuffer reply = read(HEADER_BYTES);
        if (Byte.toUnsignedInt(reply.get(1)) != (command | REPLY) || reply.getInt(4) != 0) {
            throw new IOException("the answer to command %d is command %d, errno %d"
                    .formatted(command, Byte.toUnsignedInt(reply.get(1)), reply.getInt(4)));
        }
    }

    private ByteBuffer read(int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
        stream.read(buffer);
        return buffer.flip();
    }

    private static ByteBuffer header(int command, int length, int data, long id, int bytes) {
        return ByteBuffer.allocate(bytes)
                .order(ByteOrder.nativeOrder())
                .put((byte) VERSION)
                .put((byte) command)
                .putShort((short) length)
                .putInt(data)
                .putLong(id);
    }
}
