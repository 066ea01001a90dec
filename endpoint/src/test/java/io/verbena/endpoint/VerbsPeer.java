package io.verbena.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.RemoteBuffer;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.PortSpace;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.time.Duration;

/// A client of an endpoint that is written with the verbs, from `docs/endpoint-protocol.md` alone. It uses nothing of
/// the endpoint's code, as a peer in another language would.
final class VerbsPeer implements AutoCloseable {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int BUFFER_BYTES = 4096;

    /// As many as the credits of the handshake that tests connect with, and 12 for what needs none.
    private static final int RECEIVES = 64 + 12;

    private final ConnectionId id;
    private final QueuePair qp;
    private final MemoryRegion receives;
    private final MemoryRegion outgoing;

    VerbsPeer(String address, int port, byte[] handshake) {
        InetSocketAddress server = new InetSocketAddress(address, port);
        id = Rdma.connectionManager().createEndpoint(PortSpace.TCP, null, server, LONG);
        receives = id.protectionDomain().allocate((long) RECEIVES * BUFFER_BYTES, Access.LOCAL_WRITE);
        outgoing = id.protectionDomain().allocate(BUFFER_BYTES, Access.LOCAL_WRITE);
        qp = id.createQueuePair(QueuePairOptions.rc().receiveRequests(RECEIVES).sendRequests(16));
        for (int n = 0; n < RECEIVES; n++) {
            post(n);
        }
        id.connect(ConnectionParameters.DEFAULT.withPrivateData(handshake));
    }

    private void post(int buffer) {
        qp.post(qp.newReceiveRequest().wrId(buffer).into(receives, (long) buffer * BUFFER_BYTES, BUFFER_BYTES));
    }

    /// What the server answered when it accepted.
    byte[] handshakeOfServer() {
        return id.event().privateData();
    }

    MemoryRegion allocate(long bytes) {
        return id.protectionDomain().allocate(bytes, Access.LOCAL_WRITE, Access.REMOTE_READ);
    }

    void send(byte[] bytes) {
        MemorySegment.copy(bytes, 0, outgoing.memory(), ValueLayout.JAVA_BYTE, 0, bytes.length);
        qp.post(qp.newSendRequest().send().from(outgoing, 0, bytes.length).signaled());
        awaitSent();
    }

    byte[] read(RemoteBuffer from) {
        try (MemoryRegion into = allocate(from.length())) {
            qp.post(qp.newSendRequest().read(from).into(into, 0, from.length()).signaled());
            awaitSent();
            return into.memory().asSlice(0, from.length()).toArray(ValueLayout.JAVA_BYTE);
        }
    }

    private void awaitSent() {
        int count = qp.sendCq()
                .poll(completion -> assertEquals("success", completion.status().toString()), 1, LONG);
        assertEquals(1, count, "completions of what was sent");
    }

    /// The next message that the server sent.
    byte[] receive() {
        byte[][] bytes = new byte[1][];
        qp.receiveCq()
                .poll(
                        completion -> {
                            assertEquals("success", completion.status().toString());
                            int buffer = (int) completion.wrId();
                            bytes[0] = receives.memory()
                                    .asSlice((long) buffer * BUFFER_BYTES, completion.byteLength())
                                    .toArray(ValueLayout.JAVA_BYTE);
                            post(buffer);
                        },
                        1,
                        LONG);
        return bytes[0];
    }

    @Override
    public void close() {
        id.close();
        receives.close();
        outgoing.close();
    }
}
