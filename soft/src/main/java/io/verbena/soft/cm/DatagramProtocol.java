package io.verbena.soft.cm;

import io.verbena.soft.engine.Engine;
import io.verbena.soft.wait.Waiter;
import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.DatagramPeer;
import io.verbena.verbs.spi.CmEventText;
import io.verbena.verbs.spi.ParameterRules;

/// The protocol of an id with a datagram service: one side looks it up, the other serves it. There is no connection, so
/// nothing is confirmed or disconnected.
final class DatagramProtocol implements PeerProtocol {
    private final SoftConnectionId id;
    private volatile SidrLookup lookup;
    private volatile PendingSidrReply answer;

    DatagramProtocol(SoftConnectionId id) {
        this.id = id;
    }

    /// For the id of a request; owned by the engine until the program has it.
    void take(PendingSidrReply request) {
        answer = request;
    }

    @Override
    public void connect(ConnectionParameters parameters) {
        SoftSharedDevice device = id.binding().device();
        ConnectionParameters told = ParameterRules.connect(
                parameters,
                id.queuePair(),
                id.ownQueuePair().hasSharedReceiveQueue(),
                true,
                device.context().attributes());
        ConnectTarget target = id.target();
        long timeoutNs = Waiter.nanoseconds(id.options().timeout());
        id.inUse();
        device.engine().execute(() -> {
            lookup = new SidrLookup(device.agent().datagrams(), this::onEvent);
            lookup.start(target, told.privateData(), timeoutNs);
        });
    }

    private void onEvent(CmEventType type, int status, ConnectionParameters seen, DatagramPeer peer) {
        id.eventChannel().put(new CmEvent(type, id, null, status, seen, peer, CmEventText.of(type, status, "")));
    }

    @Override
    public void accept(ConnectionParameters parameters) {
        PendingSidrReply request = requireRequest("rdma_accept");
        ConnectionParameters told = ParameterRules.accept(
                parameters,
                CmMessages.NO_PARAMETERS,
                id.queuePair(),
                id.ownQueuePair().hasSharedReceiveQueue(),
                true,
                id.context().attributes());
        engine().execute(() -> request.accept(told.qpNumber(), PortSpaces.DATAGRAM_QKEY, told.privateData()));
    }

    @Override
    public void reject(byte[] privateData) {
        PendingSidrReply request = requireRequest("rdma_reject");
        byte[] data = ParameterRules.reject(privateData, true);
        engine().execute(() -> request.reject(data));
    }

    @Override
    public void disconnect() {
        throw noConnection("rdma_disconnect");
    }

    @Override
    public void establish() {
        throw noConnection("rdma_establish");
    }

    @Override
    public void notifyEstablished() {
        throw noConnection("rdma_notify");
    }

    private static RdmaException noConnection(String verb) {
        return new RdmaException(verb, Errno.EINVAL, "datagrams have no connection; close the id when it is done");
    }

    @Override
    public void init(QueuePair made) {
        made.modify(step(QueuePairState.INIT));
        made.modify(step(QueuePairState.RTR));
        made.modify(step(QueuePairState.RTS));
    }

    @Override
    public QueuePairChange step(QueuePairState to) {
        return switch (to) {
            case INIT -> QueuePairChange.toInit(PortSpaces.DATAGRAM_QKEY);
            case RTR -> QueuePairChange.toRtr();
            case RTS -> QueuePairChange.toRtsUnreliable(0);
            default -> throw new RdmaException("rdma_init_qp_attr", Errno.EINVAL, "no attributes for " + to);
        };
    }

    @Override
    public void disconnectBeforeExit() {
        close();
    }

    @Override
    public void close() {
        SidrLookup asked = lookup;
        PendingSidrReply request = answer;
        if (asked != null) {
            engine().execute(asked::close);
        }
        if (request != null) {
            engine().execute(request::close);
        }
    }

    private Engine engine() {
        return id.binding().device().engine();
    }

    private PendingSidrReply requireRequest(String verb) {
        if (answer == null) {
            throw new RdmaException(verb, Errno.EINVAL, id + " has no request");
        }
        return answer;
    }
}
