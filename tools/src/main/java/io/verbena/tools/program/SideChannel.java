package io.verbena.tools.program;

import io.verbena.tools.text.AddressText;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/// A TCP connection beside the RDMA connection. Programs that connect queue pairs by hand exchange queue pair numbers,
/// addresses and keys over it. The C programs write a message with one call and read it with one, so [#write] passes a
/// whole message to the system at once.
///
/// Every wait ends: with the message, with a [ProgramException] when the peer leaves, is silent or cannot be reached,
/// or with EINTR when the thread is interrupted. Not thread-safe.
public final class SideChannel implements AutoCloseable {
    private final SocketChannel socket;
    private final Selector selector;
    private final SelectionKey key;
    private final Duration timeout;
    private final InetSocketAddress local;
    private final InetSocketAddress peer;

    /// Takes over a connection, and closes it when that fails.
    ///
    /// @param timeout how long the peer may take for each message; zero: for ever
    SideChannel(SocketChannel socket, Duration timeout) throws IOException {
        Selector opened = null;
        try {
            opened = Selector.open();
            socket.configureBlocking(false);
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            key = socket.register(opened, SelectionKey.OP_READ);
            local = (InetSocketAddress) socket.getLocalAddress();
            peer = (InetSocketAddress) socket.getRemoteAddress();
        } catch (IOException e) {
            socket.close();
            if (opened != null) {
                opened.close();
            }
            throw e;
        }
        this.socket = socket;
        this.selector = opened;
        this.timeout = timeout;
    }

    /// Connects to a server. `startIt` is the command that starts one, for the error.
    public static SideChannel connect(Output output, InetSocketAddress server, Duration timeout, String startIt) {
        String what = "connect to " + AddressText.of(server) + " (TCP)";
        try {
            SocketChannel socket = SocketChannel.open();
            try (var _ = ConnectNotice.start(output, server, timeout, startIt)) {
                // a channel with a selector has no connect timeout, its socket has
                socket.socket().connect(server, (int) Math.min(timeout.toMillis(), Integer.MAX_VALUE));
            } catch (IOException e) {
                socket.close();
                throw e;
            }
            return new SideChannel(socket, timeout);
        } catch (ConnectException e) {
            throw new ProgramException(
                    "cannot " + what + ": " + e.getMessage() + "; start the server first: " + startIt, e);
        } catch (SocketTimeoutException e) {
            throw new ProgramException(
                    "cannot " + what + ": no answer within " + timeout.toSeconds()
                            + " s; check the address and its firewall, --timeout sets how long to wait",
                    e);
        } catch (IOException e) {
            throw trouble("cannot " + what, e);
        }
    }

    /// The local address of the connection: the server's device is the one that has it.
    public InetSocketAddress local() {
        return local;
    }

    public InetSocketAddress peer() {
        return peer;
    }

    /// The peer's address as people write it.
    public String peerText() {
        return AddressText.of(peer);
    }

    /// Sends a whole message; `what` names it in errors.
    public void write(byte[] message, String what) {
        ByteBuffer bytes = ByteBuffer.wrap(message);
        long start = System.nanoTime();
        try {
            while (true) {
                socket.write(bytes);
                if (!bytes.hasRemaining()) {
                    return;
                }
                if (!await(SelectionKey.OP_WRITE, timeout, start)) {
                    throw new ProgramException(peerText() + " takes no more bytes, " + bytes.remaining() + " of "
                            + message.length + " of " + what + " are left: it hangs");
                }
            }
        } catch (IOException e) {
            throw trouble("cannot send " + what + " to " + peerText() + ", its own output may tell why", e);
        }
    }

    /// Reads a message of exactly that many bytes; `what` names it in errors.
    public byte[] read(int length, String what) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        long start = System.nanoTime();
        try {
            while (bytes.hasRemaining()) {
                int some = socket.read(bytes);
                if (some < 0) {
                    throw new ProgramException(peerText() + " closed the connection before " + what + " came"
                            + received(bytes) + "; its own output may tell why");
                }
                if (some == 0 && !await(SelectionKey.OP_READ, timeout, start)) {
                    throw new ProgramException("no " + what + " from " + peerText() + " within " + timeout.toSeconds()
                            + " s" + received(bytes) + "; --timeout sets how long to wait");
                }
            }
            return bytes.array();
        } catch (IOException e) {
            throw trouble("no " + what + " from " + peerText(), e);
        }
    }

    /// Whether the peer has closed its end, now or within `patience`. Bytes that arrive meanwhile are dropped.
    public boolean isClosedByPeer(Duration patience) {
        ByteBuffer dropped = ByteBuffer.allocate(256);
        long start = System.nanoTime();
        try {
            while (true) {
                if (socket.read(dropped.clear()) < 0) {
                    return true;
                }
                if (patience.isZero() || !await(SelectionKey.OP_READ, patience, start)) {
                    return false;
                }
            }
        } catch (IOException reset) {
            interruptedBy(reset);
            return true;
        }
    }

    /// Closes the output, which the peer sees as the end of the stream.
    public void endOutput() {
        try {
            socket.shutdownOutput();
        } catch (IOException alreadyGone) {
            // the peer has closed the connection
        }
    }

    /// Waits until the connection is ready; false when the time since `startNs` is over.
    private boolean await(int readiness, Duration longest, long startNs) throws IOException {
        long left = longest.isZero() ? 0 : Math.max(0, longest.toMillis() - (System.nanoTime() - startNs) / 1_000_000);
        if (left == 0 && !longest.isZero()) {
            return false;
        }
        key.interestOps(readiness);
        selector.select(left);
        selector.selectedKeys().clear();
        if (Thread.interrupted()) {
            throw Result.interrupt("wait for the peer");
        }
        return true;
    }

    /// Quotes the bytes received so far, which may show what program the peer is.
    private static String received(ByteBuffer bytes) {
        if (bytes.position() == 0) {
            return "";
        }
        byte[] got = Arrays.copyOf(bytes.array(), bytes.position());
        return ", only " + got.length + " of " + bytes.capacity() + " bytes: " + quote(got);
    }

    /// The first 40 bytes as text that is safe to print on a terminal; unprintable bytes become dots.
    public static String quote(byte[] bytes) {
        String text = new String(bytes, 0, Math.min(bytes.length, 40), StandardCharsets.ISO_8859_1);
        return "'" + text.replaceAll("[^ -~]", ".") + (bytes.length > 40 ? "...'" : "'");
    }

    private static ProgramException trouble(String what, IOException e) {
        interruptedBy(e);
        return new ProgramException(what + ": " + e.getMessage(), e);
    }

    private static void interruptedBy(IOException e) {
        if (e instanceof ClosedByInterruptException) {
            Thread.interrupted();
            throw Result.interrupt("wait for the peer");
        }
    }

    @Override
    public void close() {
        try (socket;
                selector) {
            // closes both, also when the first fails
        } catch (IOException alreadyClosed) {
            // there is nothing left to close
        }
    }
}
