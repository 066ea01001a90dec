package io.verbena.tools.perf;

import io.verbena.tools.program.ProgramException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.Arrays;
import jdk.net.ExtendedSocketOptions;

/// The TCP connection beside the queue pairs. In every exchange the client writes first and then reads, the
/// server reads and then writes, each message in one write: C peers read it in one.
///
/// A thread reads all the time, so that who measures learns at once when the peer left ([#isGone]) or is done
/// and writes its next message ([#hasSpoken]): both are one look at a field.
final class PeerChannel implements AutoCloseable {
    /// Far more than a peer sends ahead; one that sends more speaks another protocol.
    private static final int MOST_AHEAD = 1 << 16;
    // a host that lost power is noticed after 5 + 3 * 3 seconds
    private static final int KEEP_ALIVE_IDLE = 5;
    private static final int KEEP_ALIVE_EACH = 3;
    private static final int KEEP_ALIVE_TRIES = 3;

    private final Socket socket;
    private final boolean client;
    private final Duration patience;
    private final byte[] ahead = new byte[MOST_AHEAD];
    private int count;
    private volatile boolean spoken;
    private volatile String gone;

    /// @param patience how long the peer may keep silent where it should answer; zero: for ever
    PeerChannel(Socket socket, boolean client, Duration patience) {
        this.socket = socket;
        this.client = client;
        this.patience = patience;
        try {
            socket.setTcpNoDelay(true);
            keepAlive();
            InputStream in = socket.getInputStream();
            Thread.ofPlatform()
                    .daemon()
                    .name("side channel " + socket.getRemoteSocketAddress())
                    .start(() -> read(in));
        } catch (IOException e) {
            close();
            throw new ProgramException("cannot use the connection to " + socket.getRemoteSocketAddress() + ": " + e, e);
        }
    }

    private void keepAlive() throws IOException {
        socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        if (socket.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE)) {
            socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, KEEP_ALIVE_IDLE);
            socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, KEEP_ALIVE_EACH);
            socket.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, KEEP_ALIVE_TRIES);
        }
    }

    boolean isClient() {
        return client;
    }

    /// Whether the peer closed the connection, or lost it.
    boolean isGone() {
        return gone != null;
    }

    /// Whether the peer has written something that was not read yet.
    boolean hasSpoken() {
        return spoken;
    }

    /// One exchange of messages; `what` names the peer's message in errors.
    byte[] exchange(byte[] mine, int theirs, String what) {
        if (client) {
            send(mine);
            return receive(theirs, what);
        }
        byte[] received = receive(theirs, what);
        send(mine);
        return received;
    }

    void send(byte[] message) {
        try {
            socket.getOutputStream().write(message);
        } catch (IOException e) {
            throw left("our next message", e);
        }
    }

    /// Waits for so many bytes of the peer's, no longer than it may keep silent.
    byte[] receive(int length, String what) {
        return receive(length, what, patience);
    }

    /// As [#receive(int, String)], but for a peer that measures meanwhile: as long as its connection lives.
    byte[] receivePatiently(int length, String what) {
        return receive(length, what, Duration.ZERO);
    }

    /// As [#receive(int, String)], for a peer that ends after this side: it may have to find out first, by its
    /// own patience, that messages were lost.
    byte[] receiveAfterRun(int length, String what) {
        return receive(length, what, patience.multipliedBy(2));
    }

    private synchronized byte[] receive(int length, String what, Duration limit) {
        long start = System.nanoTime();
        while (count < length) {
            if (gone != null) {
                throw left(what, null);
            }
            long leftMs = limit.isZero() ? 0 : limit.toMillis() - (System.nanoTime() - start) / 1_000_000;
            if (!limit.isZero() && leftMs <= 0) {
                throw new ProgramException("no " + what + " within " + limit.toSeconds()
                        + " s: the peer hangs or speaks another protocol; --timeout sets how long to wait");
            }
            try {
                wait(leftMs);
            } catch (InterruptedException e) {
                throw new StoppedException();
            }
        }
        byte[] message = Arrays.copyOf(ahead, length);
        count -= length;
        System.arraycopy(ahead, length, ahead, 0, count);
        spoken = count > 0;
        return message;
    }

    private ProgramException left(String what, IOException cause) {
        String why = gone != null ? gone : cause == null ? "closed the connection" : String.valueOf(cause.getMessage());
        return new ProgramException(
                "the peer left before " + what + ": " + why + "; it was stopped, or tells more on its own side", cause);
    }

    /// Why the peer is gone, for a measurement that it ends.
    ProgramException leftWhileMeasuring() {
        return left("the measurement was done", null);
    }

    private void read(InputStream in) {
        byte[] some = new byte[MOST_AHEAD];
        try {
            for (int n = in.read(some); n >= 0; n = in.read(some)) {
                take(some, n);
            }
            leave("it closed the connection");
        } catch (IOException e) {
            leave(String.valueOf(e.getMessage()));
        }
    }

    private synchronized void take(byte[] some, int length) throws IOException {
        if (length > ahead.length - count) {
            throw new IOException("it sends more than the protocol has");
        }
        System.arraycopy(some, 0, ahead, count, length);
        count += length;
        spoken = true;
        notifyAll();
    }

    private synchronized void leave(String why) {
        gone = why;
        notifyAll();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException alreadyBroken) {
            // nothing is left to close
        }
    }
}
