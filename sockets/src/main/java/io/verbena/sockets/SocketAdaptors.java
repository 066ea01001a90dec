package io.verbena.sockets;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;
import java.util.concurrent.TimeUnit;

/// What the sockets of channels have in common.
final class SocketAdaptors {
    private SocketAdaptors() {}

    static <T> void set(NetworkChannel channel, SocketOption<T> option, T value) throws SocketException {
        try {
            channel.setOption(option, value);
        } catch (IOException e) {
            throw socketException(e);
        }
    }

    static <T> T get(NetworkChannel channel, SocketOption<T> option) throws SocketException {
        try {
            return channel.getOption(option);
        } catch (IOException e) {
            throw socketException(e);
        }
    }

    /// The size of a buffer.
    static void setSize(NetworkChannel channel, SocketOption<Integer> option, int size) throws SocketException {
        if (size <= 0) {
            throw new IllegalArgumentException("the size is " + size);
        }
        set(channel, option, size);
    }

    /// A timeout in milliseconds as the time to wait; 0 is for ever.
    static long waitNs(int timeoutMs) {
        return timeoutMs == 0 ? RdmaSocketChannel.FOR_EVER_NS : TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    }

    static int requireTimeout(int timeoutMs) {
        if (timeoutMs < 0) {
            throw new IllegalArgumentException("the timeout is " + timeoutMs);
        }
        return timeoutMs;
    }

    static SocketException socketException(IOException e) {
        if (e instanceof SocketException known) {
            return known;
        }
        return new SocketException(e instanceof ClosedChannelException ? "Socket is closed" : e.getMessage(), e);
    }
}
