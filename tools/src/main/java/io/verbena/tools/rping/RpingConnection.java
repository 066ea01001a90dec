package io.verbena.tools.rping;

import io.verbena.tools.program.ProgramConnection;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.RemoteBuffer;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.cm.ConnectionId;
import java.time.Duration;

/// A queue pair for pings, with its completion queue, completion channel and control message buffers. The numbers are
/// those of the C program: 16 sends, 2 receives, one queue of 32 completions for both.
///
/// Waiting costs no CPU time: the thread sleeps on the completion channel.
final class RpingConnection extends ProgramConnection<RpingConnection.Kind> {
    private static final Sizes SIZES = new Sizes(32, 16, 2);

    enum Kind {
        RECEIVE,
        SEND,
        RDMA_READ,
        RDMA_WRITE
    }

    private final MemoryRegion messages = memory(0);
    private final ReceiveRequest receive =
            qp().newReceiveRequest().wrId(wrId(Kind.RECEIVE)).into(messages, 0, ControlMessage.BYTES);
    private RemoteBuffer announced;

    /// @param timeout how long the peer may keep silent; zero: for ever
    /// @param ownQueuePair creates and modifies the queue pair without the connection manager, for `-q`
    RpingConnection(ConnectionId id, boolean ownQueuePair, Duration timeout) {
        super(
                id,
                Kind.class,
                SIZES,
                Waits.asleep(id, timeout),
                ownQueuePair ? OwnQueuePair::create : ProgramConnection::createQueuePair,
                new Memory(3L * ControlMessage.BYTES, Access.LOCAL_WRITE));
        qp().post(receive); // before the peer can send: the queue pair is in INIT
    }

    /// A control message that describes `region`; `slot` 0 or 1 selects its buffer.
    SendRequest newMessage(int slot, MemoryRegion region, int size) {
        long at = (1L + slot) * ControlMessage.BYTES;
        ControlMessage.write(messages.memory().asSlice(at, ControlMessage.BYTES), region, size);
        return newRequest(Kind.SEND).send().from(messages, at, ControlMessage.BYTES);
    }

    /// The buffer that the peer's last message described.
    RemoteBuffer announced() {
        return announced;
    }

    @Override
    protected String name(Kind kind) {
        return kind.name().replace('_', ' ');
    }

    @Override
    protected void onCompleted(Kind kind, WorkCompletion completion) {
        if (kind != Kind.RECEIVE) {
            return;
        }
        if (completion.byteLength() != ControlMessage.BYTES) {
            wrong("Received bogus data, size " + completion.byteLength() + ": a message of rping has "
                    + ControlMessage.BYTES + " bytes; is the peer another program?");
            return;
        }
        announced = ControlMessage.read(messages.memory());
        qp().post(receive); // there is room: this very receive was taken out
    }
}
