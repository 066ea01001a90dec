package io.verbena.soft.cm;

import io.verbena.soft.engine.Engine;
import io.verbena.soft.qp.SoftQueuePair;
import io.verbena.soft.wait.Waiter;
import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.spi.ParameterRules;
import io.verbena.verbs.spi.PeerText;
import io.verbena.verbs.spi.QueuePairTiming;

/// The protocol of an id with a connection: each call enters the engine.
final class ConnectionProtocol implements PeerProtocol {
    private final SoftConnectionId id;
    private final ConnectionHandler handler;
    private volatile CmConnection connection;

    /// For an id that will connect.
    ConnectionProtocol(SoftConnectionId id) {
        this.id = id;
        this.handler = new QueuePairHandler(id, this);
    }

    /// For the id of a connection request; owned by the engine until the program has it.
    void take(CmConnection request) {
        connection = request;
    }

    ConnectionHandler handler() {
        return handler;
    }

    CmConnection connection() {
        return connection;
    }

    @Override
    public void init(QueuePair made) {
        made.modify(firstStep());
    }

    private static QueuePairChange firstStep() {
        return QueuePairChange.toInit().access(Access.REMOTE_WRITE);
    }

    @Override
    public void connect(ConnectionParameters parameters) {
        SoftSharedDevice device = id.binding().device();
        LocalSettings settings = settings(ParameterRules.connect(
                parameters,
                id.queuePair(),
                id.ownQueuePair().hasSharedReceiveQueue(),
                false,
                device.context().attributes()));
        ConnectTarget target = id.target();
        boolean isVacant = id.manager.network().isVacant(id.peerAddress().getAddress());
        id.inUse();
        device.engine().execute(() -> {
            connection = device.agent().newConnection(handler);
            if (isVacant) {
                connection.fail(target, CmEventType.UNREACHABLE, -Errno.ECONNREFUSED.number());
            } else {
                connection.connect(target, settings);
            }
        });
    }

    @Override
    public void accept(ConnectionParameters parameters) {
        CmConnection request = require("rdma_accept");
        // Through the engine, because the program may have the event before the engine has finished with the request.
        ConnectionParameters asked = engine().call(request::requested);
        LocalSettings settings = settings(ParameterRules.accept(
                parameters,
                asked,
                id.queuePair(),
                id.ownQueuePair().hasSharedReceiveQueue(),
                false,
                id.context().attributes()));
        engine().execute(() -> request.accept(settings));
    }

    private LocalSettings settings(ConnectionParameters told) {
        return LocalSettings.of(told, id.queuePair() == null, id.options());
    }

    @Override
    public void reject(byte[] privateData) {
        CmConnection request = require("rdma_reject");
        byte[] data = ParameterRules.reject(privateData, false);
        engine().execute(() -> request.reject(data));
    }

    @Override
    public void disconnect() {
        CmConnection present = require("rdma_disconnect");
        long timeoutNs = Waiter.nanoseconds(id.options().timeout());
        acknowledge();
        engine().execute(() -> present.disconnect(timeoutNs));
    }

    @Override
    public void establish() {
        CmConnection present = require("rdma_establish");
        engine().execute(present::establish);
    }

    @Override
    public void notifyEstablished() {
        CmConnection present = require("rdma_notify");
        engine().execute(() -> {
            switch (present.state()) {
                case REP_SENT, MRA_REP_RECEIVED -> present.onFirstRequest();
                case ESTABLISHED -> {}
                default ->
                    throw new RdmaException(
                            PeerText.verb("rdma_notify", id.peerAddress()), Errno.EINVAL, "accept the request first");
            }
        });
    }

    /// Before the peer's parameters are known only INIT is possible, without rights.
    @Override
    public QueuePairChange step(QueuePairState to) {
        CmConnection present = connection;
        QueuePairTiming timing = id.options().timing();
        QueuePairPlan plan = present == null ? null : engine().call(() -> present.plan(timing));
        QueuePairChange step = plan != null ? plan.step(to) : to == QueuePairState.INIT ? firstStep() : null;
        if (step == null) {
            throw new RdmaException(
                    "rdma_init_qp_attr", Errno.EINVAL, "no attributes for " + to + " at this moment of the connection");
        }
        return step;
    }

    @Override
    public void disconnectBeforeExit() {
        CmConnection present = connection;
        if (present != null) {
            acknowledge();
            engine().execute(present::disconnectBeforeExit);
        }
    }

    @Override
    public void close() {
        CmConnection present = connection;
        if (present != null) {
            acknowledge();
            engine().execute(present::close);
        }
    }

    /// Before the end of the connection is announced, possibly by another engine: the peer flushes what is not
    /// acknowledged by then.
    private void acknowledge() {
        SoftQueuePair qp = id.queuePair();
        if (qp != null) {
            qp.sendAcknowledgements();
        }
    }

    private Engine engine() {
        return id.binding().device().engine();
    }

    private CmConnection require(String verb) {
        if (connection == null) {
            throw new RdmaException(verb, Errno.EINVAL, id + " has no connection");
        }
        return connection;
    }
}
