package io.verbena.tools.perf;

import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.Result;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;

/// The side channel beside the queue pairs that are measured. In every exchange the client writes first and then reads;
/// the server reads and then writes. Each message is one write, since C peers read it in one.
///
/// A thread reads all the time. So a measuring loop learns at once whether the peer is gone ([#isGone]) or has sent its
/// next message ([#hasMessage]): each is one read of a field.
final class PeerChannel implements AutoCloseable {
    /// Far more than a peer sends ahead. A peer that sends more speaks another protocol.
    private static final int MOST_AHEAD = 1 << 16;
    private final PeerLink link;
    private final boolean client;
    private final Duration patience;
    private final byte[] ahead = new byte[MOST_AHEAD];
    private int count;
    private volatile boolean spoken;
    private volatile String gone;

    /// @param patience how long the peer may keep silent where it should answer; zero: for ever
    PeerChannel(PeerLink link, boolean client, Duration patience) {
        this.link = link;
        this.client = client;
        this.patience = patience;
        Thread.ofPlatform().daemon().name("side channel " + link.peer()).start(this::read);
    }

    /// As [#PeerChannel(PeerLink, boolean, Duration)], over TCP.
    PeerChannel(Socket socket, boolean client, Duration patience) {
        this(new SocketLink(socket), client, patience);
    }

    boolean isClient() {
        return client;
    }

    /// Whether the peer closed the connection, or lost it.
    boolean isGone() {
        return gone != null;
    }

    /// Whether there is a message of the peer that was not read yet.
    boolean hasMessage() {
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
            link.send(message);
        } catch (IOException e) {
            throw left("our next message", e);
        }
    }

    /// Waits for that many bytes from the peer, at most `patience`.
    byte[] receive(int length, String what) {
        return receive(length, what, patience);
    }

    /// As [#receive(int, String)], for a peer that measures meanwhile: waits as long as the connection lives. A client
    /// knows that a server that does not send has nothing left to do. But before it answers, it may have to wait for
    /// lost messages until its own timeout.
    ///
    /// @param both whether both sides send
    byte[] receiveAfterRun(int length, String what, boolean both) {
        return receive(length, what, client && !both ? patience.multipliedBy(2) : Duration.ZERO);
    }

    private synchronized byte[] receive(int length, String what, Duration limit) {
        long start = System.nanoTime();
        while (count < length) {
            if (gone != null) {
                throw left("its " + what, null);
            }
            long leftMs = limit.isZero() ? 0 : limit.toMillis() - (System.nanoTime() - start) / 1_000_000;
            if (!limit.isZero() && leftMs <= 0) {
                throw new ProgramException("no " + what + " within " + limit.toSeconds()
                        + " s: the peer hangs or speaks another protocol; --timeout sets how long to wait");
            }
            try {
                wait(leftMs);
            } catch (InterruptedException e) {
                throw Result.interrupt("wait for the peer");
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
                "the peer left before " + what + ": " + why + "; it was stopped, or its own output says why", cause);
    }

    /// The exception for a measurement that ends because the peer is gone.
    ProgramException leftWhileMeasuring() {
        return left("the measurement was done", null);
    }

    private void read() {
        byte[] some = new byte[MOST_AHEAD];
        try {
            for (int n = link.receive(some); n >= 0; n = link.receive(some)) {
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
        link.close();
    }
}
