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
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.RemoteBuffer;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import java.time.Duration;

/// What both sides make before they connect, and the three things they do with it: tell and learn where a buffer is,
/// move bytes to or from the peer's memory, and wait for the peer's good-bye.
final class CopyConnection implements AutoCloseable {
    /// As the C program asks: three READs at a time, three retries, and *no* patience for a side that has no receive
    /// posted. So both post theirs before they connect.
    static final ConnectionParameters PARAMETERS =
            ConnectionParameters.DEFAULT.withReads(3, 3).withRetries(3, 0);

    // the numbers of the C program
    private static final int COMPLETIONS = 16;
    private static final int REQUESTS = 8;
    /// A long transfer is cut into requests of this size, if the port takes them, so that silence shows early.
    private static final long PIECE_BYTES = 4 << 20;
    /// How slow a peer may be that moves bytes, on top of the time it may keep silent.
    private static final long SLOWEST_BYTES_PER_SECOND = 8 << 20;

    private static final Duration PROBE_INTERVAL = Duration.ofSeconds(1);
    private static final Duration GOODBYE = Duration.ofSeconds(5);

    /// What a request is for: the low bits of its number say so, because a failed completion has no opcode. The rest
    /// of the number is its length.
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

    /// SENDs where `region` is.
    void sendAttributes(MemoryRegion region) {
        long at = BufferAttributes.BYTES;
        BufferAttributes.write(messages.memory().asSlice(at, BufferAttributes.BYTES), region.remote());
        post(Kind.SEND, BufferAttributes.BYTES, qp.newSendRequest().send().from(messages, at, BufferAttributes.BYTES));
        // nobody waits for its completion: the peer's answer may come first, and says the same
    }

    /// Where the peer's buffer is. The peer may have `length` bytes to move before it tells.
    RemoteBuffer awaitAttributes(String what, long length) {
        await(Kind.RECEIVE, what, patience(length));
        if (receivedBytes != BufferAttributes.BYTES) {
            throw new ProgramException("the peer sent a message of " + receivedBytes + " bytes; buffer attributes have "
                    + BufferAttributes.BYTES + ": is it another program?");
        }
        return BufferAttributes.read(messages.memory());
    }

    /// RDMA WRITE: puts all of `local` into the peer's memory.
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

    /// Waits until the peer disconnects. Of what it does meanwhile with our memory nothing is seen here, so it
    /// gets time for `length` bytes there and back. Whether it lives is asked now and then by a WRITE of no
    /// bytes: its device acknowledges that, while its program and its memory are left alone.
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
                return;
            }
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

    /// Says good-bye. The work is done, so a peer that does not answer is no trouble.
    void disconnect() {
        id.timeout(GOODBYE);
        try {
            id.disconnect();
        } catch (RdmaException peerLeftFirst) {
            // closing the id does what is left
        }
    }

    /// The id is the caller's to close.
    @Override
    public void close() {
        owned.close();
    }
}
