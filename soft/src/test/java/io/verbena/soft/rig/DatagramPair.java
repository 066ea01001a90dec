package io.verbena.soft.rig;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.fabric.SimulatedFabric;
import io.verbena.verbs.AddressHandle;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Gid;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Two simulated hosts with one datagram queue pair each, ready to send.
public final class DatagramPair implements AutoCloseable {
    public static final int QKEY = 0x1111_1111;
    public static final int GRH = 40;
    private static final Duration LONG_ENOUGH = Duration.ofMillis(10);

    public final SimulatedFabric fabric;
    public final Node left;
    public final Node right;

    /// A host with a queue pair, memory, and what has completed there.
    public static final class Node {
        public final InetAddress address;
        public final Context context;
        public final ProtectionDomain pd;
        public final CompletionQueue cq;
        public final QueuePair qp;
        public final MemoryRegion memory;
        public final List<WorkCompletion> completions = new ArrayList<>();

        Node(SimulatedFabric fabric, String name) {
            address = InetAddress.ofLiteral(name);
            context = fabric.host(name).device().open();
            pd = context.allocateProtectionDomain();
            cq = context.createCompletionQueue(4096);
            qp = datagrams();
            memory = pd.allocate(1 << 16, Access.LOCAL_WRITE);
        }

        /// One more queue pair, ready to send.
        public QueuePair datagrams() {
            QueuePair made = pd.createQueuePair(QueuePairOptions.ud(cq)
                    .sendRequests(256)
                    .receiveRequests(256)
                    .inlineBytes(64));
            made.modify(QueuePairChange.toInit(QKEY));
            made.modify(QueuePairChange.toRtr());
            made.modify(QueuePairChange.toRtsUnreliable(0xFF_FFFE));
            return made;
        }

        public AddressHandle handleTo(Node peer) {
            return pd.createAddressHandle(AddressVector.to(peer.address));
        }

        public AddressHandle handleTo(Gid group) {
            return pd.createAddressHandle(AddressVector.to(group));
        }

        public SendRequest request(long wrId, long from, long length) {
            return qp.newSendRequest()
                    .wrId(wrId)
                    .send()
                    .from(memory, from, length)
                    .signaled();
        }

        public void post(SendRequest request) {
            assertTrue(qp.post(request), "the send queue is full");
        }

        public void receive(long wrId, long into, long length) {
            receive(qp, wrId, into, length);
        }

        public void receive(QueuePair on, long wrId, long into, long length) {
            assertTrue(on.post(on.newReceiveRequest().wrId(wrId).into(memory, into, length)), "the queue is full");
        }

        public int poll() {
            return cq.poll(completion -> completions.add(completion.copy()), 4096);
        }

        public List<Long> wrIds() {
            return completions.stream().map(WorkCompletion::wrId).toList();
        }

        public List<CompletionStatus> statuses() {
            return completions.stream().map(WorkCompletion::status).toList();
        }

        public long count(Counter counter) {
            return context.counters().getOrDefault(counter.label(), 0L);
        }
    }

    public DatagramPair(long seed) {
        fabric = new SimulatedFabric(seed);
        left = new Node(fabric, "10.0.0.1");
        right = new Node(fabric, "10.0.0.2");
    }

    public Node node(String address) {
        return new Node(fabric, address);
    }

    /// A request from the left queue pair to the right one.
    public SendRequest request(long wrId, long from, long length) {
        return left.request(wrId, from, length).to(left.handleTo(right), right.qp.number(), QKEY);
    }

    /// Runs until all posted requests are done.
    public void run() {
        fabric.run(LONG_ENOUGH);
        left.poll();
        right.poll();
    }

    @Override
    public void close() {
        left.context.closeAll();
        right.context.closeAll();
    }
}
