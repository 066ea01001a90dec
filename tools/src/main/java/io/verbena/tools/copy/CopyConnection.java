package io.verbena.tools.copy;

import io.verbena.tools.program.CompletionLoop;
import io.verbena.tools.program.Owned;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.Statistics;
import io.verbena.tools.program.Waiting;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
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
final class CopyConnection implements AutoCloseable {
    /// The parameters of the C program: three READs at a time, three retries, and no RNR retry. So both sides post
    /// their receive before they connect.
    static final ConnectionParameters PARAMETERS =
            ConnectionParameters.DEFAULT.withReads(3, 3).withRetries(3, 0);

    // the numbers of the C program
    private static final int COMPLETIONS = 16;
    private static final int REQUESTS = 8;
    /// A long transfer is split into requests of this size, if the port allows it, so that a silent peer is noticed
    /// early.
    private static final long PIECE_BYTES = 4 << 20;
    /// The slowest rate that a peer may copy at, in addition to the time it may be silent.
    private static final long SLOWEST_BYTES_PER_SECOND = 8 << 20;

    private static final Duration PROBE_INTERVAL = Duration.ofSeconds(1);

    /// The purpose of a request. It is in the low bits of the request's number, because a failed completion has no
    /// opcode; the other bits are the length.
    private enum Kind {
        RECEIVE("RECEIVE of the peer's buffer attributes"),
        SEND("SEND of our buffer attributes"),
        WRITE("RDMA WRITE to the peer's buffer"),
        READ("RDMA READ of the peer's buffer"),
        PROBE("RDMA WRITE of no bytes, which asks whether the peer is alive,");

        private static final int BITS = 3;
        private static final Kind[] ALL = values();

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        static Kind of(long wrId) {
            return ALL[(int) wrId & (1 << BITS) - 1];
        }

        long wrId(long length) {
            return length << BITS | ordinal();
        }
    }

    private final ConnectionId id;
    private final Duration timeout;
    private final Statistics statistics;
    private final int[] completed = new int[Kind.ALL.length];
    private final int[] awaited = new int[Kind.ALL.length];
    private long receivedBytes;

    private final Owned owned = new Owned();
    private final CompletionChannel channel;
    private final CompletionQueue cq;
    private final MemoryRegion messages;
    private final QueuePair qp;
    private final CompletionLoop loop;

    /// @param id knows its device: its address and route are resolved, or it is a request from a client
    CopyConnection(ConnectionId id, Duration timeout, Statistics statistics) {
        this.id = id;
        this.timeout = timeout;
        this.statistics = statistics;
        try {
            channel = owned.add(id.context().createCompletionChannel()); // to sleep on
            cq = owned.add(id.context().createCompletionQueue(COMPLETIONS, channel)); // for sends and receives
            messages = owned.add(id.protectionDomain().allocate(2L * BufferAttributes.BYTES, Access.LOCAL_WRITE));
            qp = owned.add(id.createQueuePair(
                    id.protectionDomain(),
                    QueuePairOptions.rc(cq).sendRequests(REQUESTS).receiveRequests(REQUESTS)));
        } catch (RuntimeException e) {
            owned.close();
            throw e;
        }
        loop = new CompletionLoop(
                cq,
                Waiting.notified(cq),
                CompletionLoop.Peer.of(id),
                timeout,
                this::onSuccess,
                wrId -> Kind.of(wrId).text);
        qp.post(qp.newReceiveRequest()
                .wrId(Kind.RECEIVE.wrId(BufferAttributes.BYTES))
                .into(messages, 0, BufferAttributes.BYTES));
    }

    /// SENDs the place of `region`.
    void sendAttributes(MemoryRegion region) {
        long at = BufferAttributes.BYTES;
        BufferAttributes.write(messages.memory().asSlice(at, BufferAttributes.BYTES), region.remote());
        post(Kind.SEND, BufferAttributes.BYTES, qp.newSendRequest().send().from(messages, at, BufferAttributes.BYTES));
        // no wait for its completion: the peer's answer may arrive first, and means the same
    }

    /// Waits for the place of the peer's buffer. The peer may have to copy `length` bytes before it answers.
    RemoteBuffer awaitAttributes(String what, long length) {
        await(Kind.RECEIVE, what, patience(length));
        if (receivedBytes != BufferAttributes.BYTES) {
            throw new ProgramException("the peer sent a message of " + receivedBytes + " bytes; buffer attributes have "
                    + BufferAttributes.BYTES + ": is it another program?");
        }
        return BufferAttributes.read(messages.memory());
    }

    /// RDMA WRITE: copies all of `local` into the peer's memory.
    void write(MemoryRegion local, RemoteBuffer remote) {
        SendRequest write = qp.newSendRequest();
        move(
                Kind.WRITE,
                local,
                (offset, length) -> write.write(remote.slice(offset, length)).from(local, offset, length));
    }

    /// RDMA READ: fills all of `local` from the peer's memory.
    void read(MemoryRegion local, RemoteBuffer remote) {
        SendRequest read = qp.newSendRequest();
        move(
                Kind.READ,
                local,
                (offset, length) -> read.read(remote.slice(offset, length)).into(local, offset, length));
    }

    @FunctionalInterface
    private interface Piece {
        SendRequest request(long offset, long length);
    }

    private void move(Kind kind, MemoryRegion local, Piece piece) {
        long most = Math.min(PIECE_BYTES, id.context().port(id.port()).maxMessageBytes());
        int posted = 0;
        for (long offset = 0; offset < local.length(); offset += most) {
            long length = Math.min(most, local.length() - offset);
            post(kind, length, piece.request(offset, length));
            posted++;
        }
        for (int i = 0; i < posted; i++) {
            await(kind, "completion of the " + kind.text, timeout);
        }
    }

    private void post(Kind kind, long length, SendRequest request) {
        request.wrId(kind.wrId(length)).signaled();
        loop.await(() -> qp.post(request), "room in the send queue");
    }

    private void await(Kind kind, String what, Duration patience) {
        int wanted = ++awaited[kind.ordinal()];
        loop.await(() -> completed[kind.ordinal()] >= wanted, what, patience);
    }

    private void onSuccess(WorkCompletion completion) {
        Kind kind = Kind.of(completion.wrId());
        completed[kind.ordinal()]++;
        switch (kind) {
            case RECEIVE -> {
                receivedBytes = completion.byteLength();
                statistics.receiveCompleted();
            }
            case SEND -> statistics.sendCompleted();
            case WRITE, READ -> {
                statistics.otherCompleted();
                statistics.message(completion.wrId() >>> Kind.BITS);
            }
            case PROBE -> {}
        }
    }

    /// Waits until the peer disconnects. What it does with this side's memory is not seen here, so it gets time to copy
    /// `length` bytes in both directions. Its liveness is checked now and then by a WRITE of no bytes: the peer's
    /// device acknowledges it, and neither its program nor its memory is involved.
    void awaitDisconnect(RemoteBuffer peer) {
        Duration patience = patience(2 * peer.length());
        SendRequest probe = qp.newSendRequest().write(peer).empty();
        long start = System.nanoTime();
        while (!loop.awaitDisconnect(PROBE_INTERVAL)) {
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
        CmEvent event = id.event();
        if (event.status() != 0) {
            throw new ProgramException("the connection was lost: " + event.explain());
        }
    }

    /// False when the peer disconnected, which it may do at any time.
    private boolean isAlive(SendRequest probe) {
        try {
            post(Kind.PROBE, 0, probe);
            await(Kind.PROBE, "sign of life", timeout);
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

    /// The caller closes the id.
    @Override
    public void close() {
        owned.close();
    }
}
