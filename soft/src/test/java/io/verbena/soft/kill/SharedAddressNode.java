package io.verbena.soft.kill;

import io.verbena.soft.SoftProvider;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairCapabilities;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/// One of several processes at one address: `SharedAddressNode ADDRESS NUMBER`. With each of the others that it is
/// connected to, it sends a message back and forth whose every word is known.
///
/// It says `listening PORT`, takes the lines `connect PORT` and `status`, answers `connected NUMBER` and
/// `status NUMBER=MESSAGES ...`, and says `ended NUMBER REASON` when a connection ends. `wrong` and more is a failure.
final class SharedAddressNode {
    private static final int WORDS = 250;
    private static final int BYTES = WORDS * Long.BYTES;
    private static final int SEND_AT = BYTES;
    private static final Duration LONG = Duration.ofSeconds(20);

    private final class Peer {
        private final ConnectionId id;
        private final CompletionQueue cq;
        private final MemoryRegion memory;
        private final QueuePair qp;
        private int number;
        private long sent;
        private long messages;
        private boolean ended;

        Peer(ConnectionId id) {
            this.id = id;
            // As many as can complete at once: messages are acknowledged seldom while they are few.
            QueuePairCapabilities most = QueuePairCapabilities.DEFAULT;
            cq = id.context().createCompletionQueue(most.maxSendRequests() + most.maxReceiveRequests());
            memory = id.protectionDomain().allocate(2 * BYTES, Access.LOCAL_WRITE);
            qp = id.createQueuePair(null, QueuePairOptions.rc(cq));
            receive();
        }

        private void receive() {
            expect(qp.post(qp.newReceiveRequest().into(memory, 0, BYTES)));
        }

        private void send() {
            for (int i = 0; i < WORDS; i++) {
                memory.memory().set(ValueLayout.JAVA_LONG, SEND_AT + (long) i * Long.BYTES, word(own, sent, i));
            }
            sent++;
            expect(qp.post(
                    qp.newSendRequest().send().from(memory, SEND_AT, BYTES).signaled()));
        }

        private void expect(boolean posted) {
            if (!posted) {
                say("wrong: a queue for requests to " + number + " is full");
            }
        }

        void poll() {
            cq.poll(this::onCompletion, 16);
        }

        private void onCompletion(WorkCompletion completion) {
            if (completion.status() != CompletionStatus.SUCCESS) {
                end(completion.opcode() + " " + completion.status());
            } else if (completion.opcode() == CompletionOpcode.RECEIVE) {
                for (int i = 0; i < WORDS; i++) {
                    long word = memory.memory().get(ValueLayout.JAVA_LONG, (long) i * Long.BYTES);
                    if (word != word(number, messages, i)) {
                        say("wrong word " + i + " of message " + messages + " from " + number);
                    }
                }
                messages++;
                receive();
                send();
            }
        }

        void end(String reason) {
            if (!ended) {
                ended = true;
                say("ended " + number + " " + reason);
            }
        }

        void close() {
            qp.close();
            memory.close();
            cq.close();
            id.close();
        }
    }

    private static long word(int from, long message, int place) {
        return ((long) from << 40) + (message << 10) + place;
    }

    private final ConnectionManager cm = new SoftProvider().connectionManager();
    private final EventChannel channel = cm.createEventChannel();
    private final Map<ConnectionId, Peer> peers = new HashMap<>();
    private final Queue<String> orders = new ConcurrentLinkedQueue<>();
    private final InetAddress address;
    private final int own;

    private SharedAddressNode(InetAddress address, int own) {
        this.address = address;
        this.own = own;
    }

    public static void main(String[] arguments) {
        SharedAddressNode node =
                new SharedAddressNode(InetAddress.ofLiteral(arguments[0]), Integer.parseInt(arguments[1]));
        Thread.ofPlatform().daemon().start(node::read);
        node.run();
    }

    private static void say(String line) {
        System.out.println(line);
    }

    private void read() {
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                orders.add(line);
            }
        } catch (IOException gone) {
            // As the end of the input.
        }
        Runtime.getRuntime().halt(0);
    }

    private void run() {
        ConnectionId listener = cm.createId(channel, PortSpace.TCP);
        listener.bind(new InetSocketAddress(address, 0));
        listener.listen(0);
        say("listening " + listener.localAddress().getPort());
        while (true) {
            String order = orders.poll();
            if (order != null) {
                obey(order.split(" "));
            }
            CmEvent event = channel.await(Duration.ZERO);
            if (event != null) {
                onEvent(event);
            }
            peers.values().forEach(Peer::poll);
            Thread.yield();
        }
    }

    private void obey(String[] order) {
        if (order[0].equals("status")) {
            say(peers.values().stream()
                    .filter(peer -> !peer.ended)
                    .map(peer -> " " + peer.number + "=" + peer.messages)
                    .sorted()
                    .collect(Collectors.joining("", "status", "")));
            return;
        }
        ConnectionId id = cm.createId(channel, PortSpace.TCP);
        int port = Integer.parseInt(order[1]);
        id.resolveAddress(new InetSocketAddress(address, 0), new InetSocketAddress(address, port), LONG);
    }

    private ConnectionParameters parameters() {
        byte[] number = ByteBuffer.allocate(Integer.BYTES).putInt(own).array();
        return ConnectionParameters.DEFAULT.withPrivateData(number);
    }

    private static int number(CmEvent event) {
        return ByteBuffer.wrap(event.privateData()).getInt();
    }

    private void onEvent(CmEvent event) {
        ConnectionId id = event.id();
        switch (event.type()) {
            case ADDRESS_RESOLVED -> id.resolveRoute(LONG);
            case ROUTE_RESOLVED -> {
                peers.put(id, new Peer(id));
                id.connect(parameters());
            }
            case CONNECT_REQUEST -> {
                Peer peer = new Peer(id);
                peer.number = number(event);
                peers.put(id, peer);
                id.accept(parameters());
            }
            case ESTABLISHED -> {
                Peer peer = peers.get(id);
                if (peer.number == 0) { // this side asked, and begins
                    peer.number = number(event);
                    say("connected " + peer.number);
                    peer.send();
                }
            }
            case TIMEWAIT_EXIT -> {}
            case DISCONNECTED -> {
                Peer peer = peers.remove(id);
                peer.poll();
                peer.end(event.explain());
                peer.close();
            }
            default -> say("wrong event " + event.explain());
        }
    }
}
