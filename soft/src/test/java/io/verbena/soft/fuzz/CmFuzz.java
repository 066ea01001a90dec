package io.verbena.soft.fuzz;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.header.Bth;
import io.verbena.roce.header.Deth;
import io.verbena.roce.mad.Mad;
import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.RoceConstants;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A device that listens and connects while its peer sends connection messages that are right, nearly right, or
/// nonsense, in every state of a connection.
public final class CmFuzz {
    private static final int MOST_IDS = 24;
    private static final int BACKLOG = 8;
    private static final Duration AFTERMATH = Duration.ofSeconds(200);

    private final LiveDevice device = new LiveDevice();
    private final Attacker attacker = new Attacker(device.network);
    private final FuzzInput script;
    private final CmMessageGenerator messages;
    private final EventChannel channel;
    private final ConnectionId listener;
    private final ConnectionId datagramListener;
    private final List<ConnectionId> ids = new ArrayList<>();

    private CmFuzz(byte[] input) {
        script = new FuzzInput(input);
        messages = new CmMessageGenerator(script, attacker);
        channel = device.connections.createEventChannel();
        listener = listen(PortSpace.TCP);
        datagramListener = listen(PortSpace.UDP);
    }

    private ConnectionId listen(PortSpace space) {
        ConnectionId id = device.connections.createId(channel, space);
        id.bind(new InetSocketAddress(LiveDevice.ADDRESS, CmMessageGenerator.PORT));
        id.listen(BACKLOG);
        return id;
    }

    public static void fuzzerTestOneInput(byte[] input) {
        CmFuzz fuzz = new CmFuzz(input);
        try (fuzz.device) {
            while (!fuzz.script.isOver()) {
                fuzz.step();
            }
            fuzz.device.run(Duration.ofMillis(100));
            fuzz.device.verify();
            fuzz.finish();
        }
    }

    private void step() {
        switch (script.below(12)) {
            case 0, 1, 2, 3, 4 -> {
                attacker.send(packet(messages.next()));
                device.run(Duration.ofNanos(20_000));
            }
            case 5, 6, 7 -> takeEvents();
            case 8 -> connect();
            case 9 -> device.run(Duration.ofMillis(script.of(1, 20, 500, 5_000)));
            case 10 -> attempt(() -> anId().disconnect());
            default -> close();
        }
    }

    private byte[] packet(byte[] mad) {
        byte[] content = new byte[Opcode.UD_SEND_ONLY.headerBytes() + Mad.BYTES];
        MemorySegment memory = MemorySegment.ofArray(content);
        Bth.write(memory, 0, Opcode.UD_SEND_ONLY.code(), false, 0, RoceConstants.GSI_QP, false, script.next());
        Deth.write(memory, Bth.BYTES, RoceConstants.GSI_QKEY, RoceConstants.GSI_QP);
        System.arraycopy(mad, 0, content, Opcode.UD_SEND_ONLY.headerBytes(), mad.length);
        return FuzzedFrame.sealed(content, content.length, attacker.self(), attacker.port(), attacker.device());
    }

    /// Makes a call that may fail, because the state does not allow it.
    private void attempt(Runnable call) {
        try {
            call.run();
        } catch (RdmaException refused) {
            assertTrue(!refused.getMessage().isBlank());
        }
    }

    private ConnectionId anId() {
        return ids.isEmpty() ? listener : ids.get(script.below(ids.size()));
    }

    private void connect() {
        if (ids.size() >= MOST_IDS) {
            return;
        }
        ConnectionId id = device.connections.createId(channel, script.onceIn(3) ? PortSpace.UDP : PortSpace.TCP);
        ids.add(id);
        id.timeout(Duration.ofSeconds(script.of(1, 20)));
        attempt(() -> id.resolveAddress(
                new InetSocketAddress(LiveDevice.ADDRESS, 0),
                new InetSocketAddress(LiveDevice.ATTACKER, CmMessageGenerator.PORT),
                Duration.ofSeconds(1)));
        takeEvents();
    }

    private void takeEvents() {
        for (CmEvent event = channel.tryTake(); event != null; event = channel.tryTake()) {
            ConnectionId id = event.id();
            switch (event.type()) {
                case ADDRESS_RESOLVED -> attempt(() -> id.resolveRoute(Duration.ofSeconds(1)));
                case ROUTE_RESOLVED ->
                    attempt(() -> {
                        makeQueuePair(id);
                        id.connect(null);
                    });
                case CONNECT_REQUEST -> onRequest(id);
                default -> assertTrue(event.type() != null);
            }
        }
    }

    private void onRequest(ConnectionId id) {
        ids.add(id);
        int choice = ids.size() >= MOST_IDS ? 3 : script.below(4);
        if (choice < 2) {
            attempt(() -> {
                makeQueuePair(id);
                id.accept(null);
            });
        } else if (choice == 3) {
            attempt(() -> id.reject(new byte[script.below(149)]));
        }
    }

    private void makeQueuePair(ConnectionId id) {
        CompletionQueue cq = id.context().createCompletionQueue(4);
        QueuePairOptions options = id.portSpace() == PortSpace.UDP ? QueuePairOptions.ud(cq) : QueuePairOptions.rc(cq);
        id.createQueuePair(null, options.sendRequests(2).receiveRequests(2));
    }

    private void close() {
        if (!ids.isEmpty()) {
            ConnectionId id = ids.remove(script.below(ids.size()));
            CompletionQueue cq = id.queuePair() == null ? null : id.queuePair().sendCq();
            id.close();
            if (cq != null) {
                cq.close();
            }
        }
    }

    /// After closing everything and waiting, nothing is left.
    private void finish() {
        takeEvents();
        while (!ids.isEmpty()) {
            close();
        }
        listener.close();
        datagramListener.close();
        device.run(AFTERMATH);
        channel.close();
        device.verify();
        int timers = device.context.engines().first().timers().size();
        assertTrue(timers == 0, () -> timers + " timers are left");
    }
}
