package io.verbena.soft.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.mad.CmPath;
import io.verbena.roce.mad.CmReq;
import io.verbena.roce.mad.CmaHeader;
import io.verbena.roce.mad.ServiceId;
import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.RoceConstants;
import io.verbena.soft.SoftProvider;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.rig.RawPacket;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// A flood of connection requests that are never completed: other clients still connect.
class FloodEndToEndTest {
    private static final int ROCE_PORT = 4791;
    private static final int STRANGERS = 8;
    private static final int CONNECTS = 20;
    private static final int FLOOD_BEFORE = 5_000;
    private static final Duration LONG = Duration.ofSeconds(20);

    private final ConnectionManager cm = new SoftProvider().connectionManager();
    private final InetAddress server = Loopback.next();
    private final InetAddress client = Loopback.next();
    private final CountDownLatch flooded = new CountDownLatch(FLOOD_BEFORE);
    private volatile boolean stopped;

    @Test
    void shouldConnectWhileStrangersFloodTheServer() throws Exception {
        try (ExecutorService threads = Executors.newCachedThreadPool();
                EventChannel channel = cm.createEventChannel();
                ConnectionId listener = cm.createId(channel, PortSpace.TCP)) {
            listener.bind(new InetSocketAddress(server, 0));
            listener.listen(0);
            List<Future<?>> all = new ArrayList<>();
            all.add(threads.submit(() -> acceptAll(channel, listener)));
            all.add(threads.submit(() -> flood(listener.localAddress().getPort())));
            try {
                assertTrue(flooded.await(60, TimeUnit.SECONDS), "the flood did not come");
                for (int i = 0; i < CONNECTS; i++) {
                    connect(listener.localAddress());
                }
            } finally {
                stopped = true;
            }
            for (Future<?> one : all) {
                one.get(60, TimeUnit.SECONDS);
            }
        }
    }

    private void connect(InetSocketAddress to) {
        ConnectionId id = cm.createSynchronousId(PortSpace.TCP);
        id.timeout(LONG);
        id.resolveAddress(new InetSocketAddress(client, 0), to, LONG);
        id.resolveRoute(LONG);
        try (CmSide side = new CmSide(id)) {
            side.id.connect(null);
            assertEquals(CmEventType.ESTABLISHED, side.id.event().type());
            side.id.disconnect();
        }
    }

    private Void acceptAll(EventChannel channel, ConnectionId listener) {
        CompletionQueue cq = listener.context().createCompletionQueue(4096);
        Set<ConnectionId> open = new HashSet<>();
        while (!stopped) {
            CmEvent event = channel.await(Duration.ofMillis(100));
            if (event == null) {
                continue;
            }
            if (event.type() == CmEventType.CONNECT_REQUEST) {
                open.add(event.id());
                event.id().createQueuePair(listener.protectionDomain(), QueuePairOptions.rc(cq));
                event.id().accept(ConnectionParameters.DEFAULT);
            } else if (event.type() != CmEventType.ESTABLISHED && open.remove(event.id())) {
                event.id().close();
            }
        }
        open.forEach(ConnectionId::close);
        cq.close();
        return null;
    }

    private Void flood(int port) throws IOException {
        Gid to = Gid.of(server);
        List<DatagramChannel> sockets = new ArrayList<>();
        for (int i = 0; i < STRANGERS; i++) {
            sockets.add(DatagramChannel.open()
                    .setOption(jdk.net.ExtendedSocketOptions.IP_DONTFRAGMENT, true)
                    .bind(new InetSocketAddress(Loopback.next(), 0)));
        }
        for (int number = 1; !stopped; number++) {
            DatagramChannel socket = sockets.get(number % STRANGERS);
            InetSocketAddress from = (InetSocketAddress) socket.getLocalAddress();
            byte[] packet = new RawPacket(Opcode.UD_SEND_ONLY, RoceConstants.GSI_QP, number & 0xFF_FFFF)
                    .deth(RoceConstants.GSI_QKEY, RoceConstants.GSI_QP)
                    .payload(
                            request(number, Gid.of(from.getAddress()), to, port).toBytes())
                    .encode(Gid.of(from.getAddress()), from.getPort(), to);
            socket.send(ByteBuffer.wrap(packet), new InetSocketAddress(server, ROCE_PORT));
            flooded.countDown();
        }
        for (DatagramChannel socket : sockets) {
            socket.close();
        }
        return null;
    }

    private static CmReq request(int number, Gid from, Gid to, int port) {
        return CmReq.builder()
                .transactionId(number)
                .localCommId(number)
                .serviceId(ServiceId.of(ServiceId.TCP, port))
                .localCaGuid(from.low())
                .localQpn(16 + number & 0xFF_FFFF)
                .responderResources(1)
                .initiatorDepth(1)
                .retryCount(7)
                .rnrRetryCount(7)
                .pathMtu(3)
                .primaryPath(CmPath.between(from.high(), from.low(), to.high(), to.low())
                        .withLocalAckTimeout(16))
                .privateData(CmaHeader.of(5, from.high(), from.low(), to.high(), to.low())
                        .encode())
                .build();
    }
}
