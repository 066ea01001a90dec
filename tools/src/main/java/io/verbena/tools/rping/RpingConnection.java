package io.verbena.tools.rping;

import io.verbena.tools.program.CompletionLoop;
import io.verbena.tools.program.Owned;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.Waiting;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.RemoteBuffer;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.cm.ConnectionId;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// A queue pair for pings, with its completion queue, completion channel and control message buffers. The numbers are
/// those of the C program: 16 sends, 2 receives, one queue of 32 completions for both.
///
/// Waiting costs no CPU time: the thread sleeps on the completion channel.
final class RpingConnection implements AutoCloseable {
    private static final int SENDS = 16;
    private static final int RECEIVES = 2;
    private static final int COMPLETIONS = 32;

    /// The purpose of a request. It is the request's number, because a failed completion has no opcode.
    enum Kind {
        RECEIVE,
        SEND,
        READ,
        WRITE;

        private static final Kind[] ALL = values();

        String text() {
            return this == RECEIVE || this == SEND ? name() : "RDMA " + name();
        }
    }

    private final ConnectionId id;
    private final Owned owned = new Owned();
    private final CompletionChannel channel;
    private final CompletionQueue cq;
    private final MemoryRegion messages;
    private final QueuePair qp;
    private final ReceiveRequest receive;
    private final CompletionLoop loop;
    private final int[] completed = new int[Kind.ALL.length];
    private final int[] awaited = new int[Kind.ALL.length];

    private RemoteBuffer announced;
    private String wrongMessage;

    /// @param timeout how long the peer may keep silent; zero: for ever
    /// @param ownQueuePair creates and modifies the queue pair without the connection manager, for `-q`
    RpingConnection(ConnectionId id, boolean ownQueuePair, Duration timeout) {
        this.id = id;
        try {
            channel = owned.add(id.context().createCompletionChannel());
            cq = owned.add(id.context().createCompletionQueue(COMPLETIONS, channel));
            messages = owned.add(id.protectionDomain().allocate(3L * ControlMessage.BYTES, Access.LOCAL_WRITE));
            QueuePairOptions options = QueuePairOptions.rc(cq)
                    .sendRequests(SENDS)
                    .receiveRequests(RECEIVES)
                    .scatterGather(1, 1);
            qp = owned.add(
                    ownQueuePair
                            ? OwnQueuePair.create(id, options)
                            : id.createQueuePair(id.protectionDomain(), options));
        } catch (RuntimeException e) {
            owned.close();
            throw e;
        }
        loop = new CompletionLoop(
                cq,
                Waiting.notified(cq),
                CompletionLoop.Peer.of(id),
                timeout,
                this::onCompletion,
                number -> Kind.ALL[(int) number].text());
        receive = qp.newReceiveRequest().wrId(Kind.RECEIVE.ordinal()).into(messages, 0, ControlMessage.BYTES);
        qp.post(receive); // before the peer can send: the queue pair is in INIT
    }

    ConnectionId id() {
        return id;
    }

    QueuePair queuePair() {
        return qp;
    }

    /// A control message that describes `region`; `slot` 0 or 1 selects its buffer.
    SendRequest newMessage(int slot, MemoryRegion region, int size) {
        long at = (1L + slot) * ControlMessage.BYTES;
        ControlMessage.write(messages.memory().asSlice(at, ControlMessage.BYTES), region, size);
        return newRequest(Kind.SEND).send().from(messages, at, ControlMessage.BYTES);
    }

    SendRequest newRequest(Kind kind) {
        return qp.newSendRequest().wrId(kind.ordinal()).signaled();
    }

    void post(SendRequest request) {
        await(() -> qp.post(request), "room in the send queue");
    }

    /// Waits for one more completion of that kind; `what` names what the peer should do, for errors.
    void await(Kind kind, String what) {
        int wanted = ++awaited[kind.ordinal()];
        await(() -> completed[kind.ordinal()] - wanted >= 0, what);
    }

    /// The buffer that the peer's last message described.
    RemoteBuffer announced() {
        return announced;
    }

    private void await(BooleanSupplier isThere, String what) {
        loop.await(
                () -> {
                    if (wrongMessage != null) {
                        throw new ProgramException(wrongMessage);
                    }
                    return isThere.getAsBoolean();
                },
                what);
    }

    private void onCompletion(WorkCompletion completion) {
        Kind kind = Kind.ALL[(int) completion.wrId()];
        if (kind != Kind.RECEIVE || isMessage(completion.byteLength())) {
            completed[kind.ordinal()]++;
        }
    }

    private boolean isMessage(long bytes) {
        if (bytes != ControlMessage.BYTES) {
            wrongMessage = "Received bogus data, size " + bytes + ": a message of rping has " + ControlMessage.BYTES
                    + " bytes; is the peer another program?";
            return false;
        }
        announced = ControlMessage.read(messages.memory());
        qp.post(receive); // there is room: this very receive was taken out
        return true;
    }

    /// The caller closes the id.
    @Override
    public void close() {
        owned.close();
    }
}
