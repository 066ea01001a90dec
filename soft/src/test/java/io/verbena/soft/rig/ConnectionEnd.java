package io.verbena.soft.rig;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.engine.Counter;
import io.verbena.verbs.CompletionChannel;
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
import io.verbena.verbs.attr.Mtu;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;

/// One end of a connection: an open device with a queue pair, memory, and its completions so far.
public class ConnectionEnd {
    public final InetAddress address;
    public final Context context;
    public final ProtectionDomain pd;
    public final CompletionChannel channel;
    public final CompletionQueue cq;
    public final QueuePair qp;
    public final MemoryRegion memory;
    public final List<WorkCompletion> completions = new ArrayList<>();
    private ConnectionEnd peer;
    private int posted;

    public ConnectionEnd(Context context, InetAddress address, long bytes) {
        this.address = address;
        this.context = context;
        this.pd = context.allocateProtectionDomain();
        this.channel = context.createCompletionChannel();
        this.cq = context.createCompletionQueue(1024, channel);
        this.qp = pd.createQueuePair(
                QueuePairOptions.rc(cq).sendRequests(64).receiveRequests(64).inlineBytes(64));
        this.memory = pd.allocate(
                bytes,
                Access.LOCAL_WRITE,
                Access.REMOTE_READ,
                Access.REMOTE_WRITE,
                Access.REMOTE_ATOMIC,
                Access.FLUSH_GLOBAL);
    }

    public void peer(ConnectionEnd other) {
        peer = other;
    }

    ConnectionEnd peer() {
        return peer;
    }

    void initialise() {
        initialise(qp);
    }

    public static void initialise(QueuePair qp) {
        qp.modify(QueuePairChange.toInit()
                .access(
                        Access.REMOTE_READ,
                        Access.REMOTE_WRITE,
                        Access.REMOTE_ATOMIC,
                        Access.FLUSH_GLOBAL,
                        Access.FLUSH_PERSISTENT));
    }

    void connect(
            int sendPsn,
            int receivePsn,
            Mtu mtu,
            UnaryOperator<QueuePairChange> receiving,
            UnaryOperator<QueuePairChange> sending) {
        AddressVector vector = AddressVector.to(peer.address);
        QueuePairChange rtr =
                QueuePairChange.toRtr(vector, peer.qp.number(), receivePsn).pathMtu(mtu);
        qp.modify(receiving.apply(rtr));
        qp.modify(sending.apply(QueuePairChange.toRts(sendPsn)));
    }

    /// Polls all completions.
    public int poll() {
        return cq.poll(completion -> completions.add(completion.copy()), 64);
    }

    public long counter(Counter counter) {
        return counter(counter.label());
    }

    public long counter(String label) {
        return context.counters().getOrDefault(label, 0L);
    }

    /// Statuses of all completions so far.
    public List<CompletionStatus> statuses() {
        poll();
        return completions.stream().map(WorkCompletion::status).toList();
    }

    public List<Long> wrIds() {
        poll();
        return completions.stream().map(WorkCompletion::wrId).toList();
    }

    public SendRequest request(long wrId) {
        return qp.newSendRequest().wrId(wrId).signaled();
    }

    public void post(SendRequest request) {
        assertTrue(qp.post(request), "the send queue is full");
        posted++;
    }

    /// How many sends were posted.
    public int posted() {
        return posted;
    }

    public void send(long wrId, long from, long length) {
        post(request(wrId).send().from(memory, from, length));
    }

    public void write(long wrId, long from, long length, long to) {
        post(request(wrId).write(peer.memory.address() + to, peer.memory.rkey()).from(memory, from, length));
    }

    public void read(long wrId, long from, long length, long into) {
        post(request(wrId)
                .read(peer.memory.address() + from, peer.memory.rkey())
                .into(memory, into, length));
    }

    /// Posts a FETCH_AND_ADD on the peer's memory; the old value is placed into this side's.
    public void add(long wrId, long to, long amount, long into) {
        post(request(wrId)
                .fetchAndAdd(peer.memory.address() + to, peer.memory.rkey(), amount)
                .into(memory, into, Long.BYTES));
    }

    public void swap(long wrId, long to, long compare, long swap, long into) {
        post(request(wrId)
                .compareAndSwap(peer.memory.address() + to, peer.memory.rkey(), compare, swap)
                .into(memory, into, Long.BYTES));
    }

    public long word(long at) {
        return memory.memory().get(ValueLayout.JAVA_LONG, at);
    }

    public void word(long at, long value) {
        memory.memory().set(ValueLayout.JAVA_LONG, at, value);
    }

    public void receive(long wrId, long into, long length) {
        assertTrue(qp.post(qp.newReceiveRequest().wrId(wrId).into(memory, into, length)), "the queue is full");
    }

    /// Random bytes into the memory; returns them.
    public byte[] fill(long at, int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        MemorySegment.copy(bytes, 0, memory.memory(), ValueLayout.JAVA_BYTE, at, length);
        return bytes;
    }

    public byte[] bytes(long at, int length) {
        return memory.memory().asSlice(at, length).toArray(ValueLayout.JAVA_BYTE);
    }
}
