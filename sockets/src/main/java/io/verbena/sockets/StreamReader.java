package io.verbena.sockets;

import java.io.IOException;
import java.nio.ByteBuffer;

/// Copies bytes of a connection to buffers of the program. Of one thread at a time.
final class StreamReader {
    private final RdmaStream stream;
    private ByteBuffer from;
    private int offset;

    StreamReader(RdmaStream stream) {
        this.stream = stream;
    }

    /// Where the next bytes are; returns how many.
    int from(ByteBuffer memory, int at, int length) {
        from = memory;
        offset = at;
        return length;
    }

    int read(ByteBuffer to) throws IOException {
        int total = 0;
        while (to.hasRemaining()) {
            int there = stream.beginRead(this, total > 0);
            if (there <= 0) {
                return total > 0 ? total : there;
            }
            int n = Math.min(there, to.remaining());
            int copied = 0;
            try {
                to.put(to.position(), from, offset, n);
                copied = n;
                to.position(to.position() + n);
            } finally {
                stream.endRead(copied);
            }
            total += n;
        }
        return total;
    }
}
