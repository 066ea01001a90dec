package io.verbena.sockets;

import io.verbena.sockets.protocol.SendChunk;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Copies bytes of the program to a connection. Of one thread at a time.
final class StreamWriter {
    /// The most bytes of one message. The peer can read the first ones while the next are copied.
    private static final int PIECE = 64 * 1024;

    private final RdmaStream stream;

    StreamWriter(RdmaStream stream) {
        this.stream = stream;
    }

    long write(ByteBuffer[] from, int offset, int length) throws IOException {
        long total = 0;
        int first = offset;
        int end = offset + length;
        while (true) {
            while (first < end && !from[first].hasRemaining()) {
                first++;
            }
            if (first == end) {
                return total;
            }
            SendChunk chunk = stream.beginWrite(wanted(from, first, end), total > 0);
            if (chunk == null) {
                return total;
            }
            int n = 0;
            try {
                n = gather(from, first, end, chunk);
            } finally {
                stream.endWrite(chunk, n);
            }
            total += n;
        }
    }

    private static int wanted(ByteBuffer[] from, int first, int end) {
        long wanted = 0;
        for (int i = first; i < end && wanted < PIECE; i++) {
            wanted += from[i].remaining();
        }
        return (int) Math.min(wanted, PIECE);
    }

    private static int gather(ByteBuffer[] from, int first, int end, SendChunk chunk) {
        ByteBuffer to = chunk.bytes();
        int at = chunk.fillOffset();
        int left = Math.min(chunk.room(), PIECE);
        int total = 0;
        for (int i = first; i < end && left > 0; i++) {
            ByteBuffer source = from[i];
            int n = Math.min(source.remaining(), left);
            to.put(at, source, source.position(), n);
            source.position(source.position() + n);
            at += n;
            left -= n;
            total += n;
        }
        return total;
    }
}
