package io.verbena.tools.copy;

import io.verbena.tools.program.ProgramConnection;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.Statistics;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.RemoteBuffer;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import java.time.Duration;

/// The objects that both sides make before they connect, and the three things they do with them: exchange the places of
/// buffers, copy to or from the peer's memory, and wait for the peer to disconnect.
final class CopyConnection extends ProgramConnection<CopyConnection.Purpose> {
    /// The parameters of the C program: three READs at a time, three retries, and no RNR retry. So both sides post
    /// their receive before they connect.
    static final ConnectionParameters PARAMETERS =
            ConnectionParameters.DEFAULT.withReads(3, 3).withRetries(3, 0);

    /// The numbers of the C program.
    private static final Sizes SIZES = new Sizes(16, 8, 8);

    /// A long transfer is split into requests of this size, if the port allows it, so that a silent peer is noticed
    /// early.
    private static final long PIECE_BYTES = 4 << 20;
    /// The slowest rate that a peer may copy at, in addition to the time it may be silent.
    private static final long SLOWEST_BYTES_PER_SECOND = 8 << 20;

    private static final Duration PROBE_INTERVAL = Duration.ofSeconds(1);

    enum Purpose {
        RECEIVE("RECEIVE of the peer's buffer attributes"),
        SEND("SEND of our buffer attributes"),
        WRITE("RDMA WRITE to the peer's buffer"),
        READ("RDMA READ of the peer's buffer"),
        PROBE("RDMA WRITE of no bytes, which asks whether the peer is alive,");

        private final String text;

        Purpose(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private final Duration timeout;
    private final Statistics statistics;
    private final MemoryRegion messages = memory(0);
    private long receivedBytes;

    /// Posts the receive for the peer's message.
    CopyConnection(ConnectionId id, Duration timeout, Statistics statistics) {
        super(
                id,
                Purpose.class,
                SIZES,
                Waits.asleep(id, timeout),
                new Memory(2L * BufferAttributes.BYTES, Access.LOCAL_WRITE));
        this.timeout = timeout;
        this.statistics = statistics;
        qp().post(qp().newReceiveRequest()
                .wrId(wrId(Purpose.RECEIVE, BufferAttributes.BYTES))
                .into(messages, 0, BufferAttributes.BYTES));
    }

    /// SENDs the place of `region`.
    void sendAttributes(MemoryRegion region) {
        long at = BufferAttributes.BYTES;
        BufferAttributes.write(messages.memory().asSlice(at, BufferAttributes.BYTES), region.remote());
        post(
                Purpose.SEND,
                BufferAttributes.BYTES,
                qp().newSendRequest().send().from(messages, at, BufferAttributes.BYTES));
        // no wait for its completion: the peer's answer may arrive first, and means the same
    }

    /// Waits for the place of the peer's buffer. The peer may have to copy `length` bytes before it answers.
    RemoteBuffer awaitAttributes(String what, long length) {
        await(Purpose.RECEIVE, what, patience(length));
        if (receivedBytes != BufferAttributes.BYTES) {
            throw new ProgramException("the peer sent a message of " + receivedBytes + " bytes; buffer attributes have "
                    + BufferAttributes.BYTES + ": is it another program?");
        }
        return BufferAttributes.read(messages.memory());
    }

    /// RDMA WRITE: copies all of `local` into the peer's memory.
    void write(MemoryRegion local, RemoteBuffer remote) {
        SendRequest write = qp().newSendRequest();
        move(
                Purpose.WRITE,
                local,
                (offset, length) -> write.write(remote.slice(offset, length)).from(local, offset, length));
    }

    /// RDMA READ: fills all of `local` from the peer's memory.
    void read(MemoryRegion local, RemoteBuffer remote) {
        SendRequest read = qp().newSendRequest();
        move(
                Purpose.READ,
                local,
                (offset, length) -> read.read(remote.slice(offset, length)).into(local, offset, length));
    }

    @FunctionalInterface
    private interface Piece {
        SendRequest request(long offset, long length);
    }

    private void move(Purpose purpose, MemoryRegion local, Piece piece) {
        long most = Math.min(PIECE_BYTES, id().context().port(id().port()).maxMessageBytes());
        int posted = 0;
        for (long offset = 0; offset < local.length(); offset += most) {
            long length = Math.min(most, local.length() - offset);
            post(purpose, length, piece.request(offset, length));
            posted++;
        }
        for (int i = 0; i < posted; i++) {
            await(purpose, "completion of the " + purpose, timeout);
        }
    }

    private void post(Purpose purpose, long length, SendRequest request) {
        post(request.wrId(wrId(purpose, length)).signaled());
    }

    @Override
    protected void onCompleted(Purpose purpose, WorkCompletion completion) {
        switch (purpose) {
            case RECEIVE -> {
                receivedBytes = completion.byteLength();
                statistics.receiveCompleted();
            }
            case SEND -> statistics.sendCompleted();
            case WRITE, READ -> {
                statistics.otherCompleted();
                statistics.message(rest(completion.wrId()));
            }
            case PROBE -> {}
        }
    }

    /// Waits until the peer disconnects. What it does with this side's memory is not seen here, so it gets time to copy
    /// `length` bytes in both directions. Its liveness is checked now and then by a WRITE of no bytes: the peer's
    /// device acknowledges it, and neither its program nor its memory is involved.
    void awaitDisconnect(RemoteBuffer peer) {
        Duration patience = patience(2 * peer.length());
        SendRequest probe = qp().newSendRequest().write(peer).empty();
        long start = System.nanoTime();
        while (!loop().awaitDisconnect(PROBE_INTERVAL)) {
            if (!patience.isZero() && System.nanoTime() - start > patience.toNanos()) {
                throw new ProgramException("no disconnect within " + patience.toSeconds()
                        + " s: the peer hangs; --timeout sets how long to wait");
            }
            if (!isAlive(probe)) {
                break;
            }
        }
        requireGoodbye();
    }

    /// Throws when the peer vanished without disconnecting.
    private void requireGoodbye() {
        CmEvent event = id().event();
        if (event.status() != 0) {
            throw new ProgramException("the connection was lost: " + event.explain());
        }
    }

    /// False when the peer disconnected, which it may do at any time.
    private boolean isAlive(SendRequest probe) {
        try {
            post(Purpose.PROBE, 0, probe);
            await(Purpose.PROBE, "sign of life", timeout);
            return true;
        } catch (ProgramException e) {
            if (e.isDisconnected()) {
                return false;
            }
            throw e;
        }
    }

    private Duration patience(long length) {
        return timeout.isZero() ? timeout : timeout.plusSeconds(length / SLOWEST_BYTES_PER_SECOND);
    }
}
