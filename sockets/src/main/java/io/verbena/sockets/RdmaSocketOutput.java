package io.verbena.sockets;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.IllegalBlockingModeException;

/// Writes to the channel of a socket.
final class RdmaSocketOutput extends OutputStream {
    private final RdmaSocketChannel channel;

    RdmaSocketOutput(RdmaSocketChannel channel) {
        this.channel = channel;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(from, offset, length);
        if (!channel.isBlocking()) {
            throw new IllegalBlockingModeException();
        }
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
