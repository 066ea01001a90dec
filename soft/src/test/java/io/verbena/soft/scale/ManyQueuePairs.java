package io.verbena.soft.scale;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.os.NanoClock;
import io.verbena.soft.rig.LoopbackPair;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.CompletionStatus;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// One process's end of many connections to another: each queue pair has a slot for what it sends and one for
/// what it receives.
final class ManyQueuePairs implements AutoCloseable {
    static final int MESSAGE_BYTES = 200;
    private static final int SLOT = 256;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long PAUSE_NS = 50_000;
    private static final int PSN = 0xFF_FFF0;

    private final Context context;
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final List<QueuePair> queuePairs = new ArrayList<>();
    private final Map<Integer, Integer> indexByNumber = new HashMap<>();
    private MemoryRegion sent;
    private MemoryRegion received;
    private SendRequest send;
    private ReceiveRequest receive;
    private int sends;
    private int receives;

    ManyQueuePairs(InetAddress address, int count) {
        context = LoopbackPair.openDevice(address);
        pd = context.allocateProtectionDomain();
        cq = context.createCompletionQueue(4 * count);
    }

    int count() {
        return queuePairs.size();
    }

    long counter(Counter counter) {
        return context.counters().getOrDefault(counter.label(), 0L);
    }

    String counters() {
        return context.counters().toString();
    }

    /// More queue pairs of the usual depth.
    void create(int more) {
        for (int i = 0; i < more; i++) {
            QueuePair qp = pd.createQueuePair(QueuePairOptions.rc(cq));
            qp.modify(QueuePairChange.toInit());
            indexByNumber.put(qp.number(), queuePairs.size());
            queuePairs.add(qp);
        }
    }

    String numbers() {
        return queuePairs.stream().map(qp -> Integer.toString(qp.number())).collect(Collectors.joining(" "));
    }

    void connect(InetAddress peer, String numbers) {
        int[] theirs =
                Stream.of(numbers.trim().split(" ")).mapToInt(Integer::parseInt).toArray();
        AddressVector vector = AddressVector.to(peer);
        for (int i = 0; i < theirs.length; i++) {
            queuePairs.get(i).modify(QueuePairChange.toRtr(vector, theirs[i], PSN));
            queuePairs.get(i).modify(QueuePairChange.toRts(PSN).timeout(18));
        }
    }

    void closeQueuePairs() {
        queuePairs.forEach(QueuePair::close);
        queuePairs.clear();
        indexByNumber.clear();
    }

    /// Posts one receive to each queue pair.
    void postReceives() {
        sent = pd.allocate((long) count() * SLOT, Access.LOCAL_WRITE);
        received = pd.allocate((long) count() * SLOT, Access.LOCAL_WRITE);
        for (int i = 0; i < count(); i++) {
            QueuePair qp = queuePairs.get(i);
            receive = qp.newReceiveRequest().wrId(i).into(received, (long) i * SLOT, SLOT);
            require(qp.post(receive), "room for a receive");
        }
    }

    static byte[] message(int index, int salt) {
        byte[] bytes = new byte[MESSAGE_BYTES];
        new Random(index * 31L + salt).nextBytes(bytes);
        return bytes;
    }

    void send(int index, int salt) {
        byte[] bytes = message(index, salt);
        java.lang.foreign.MemorySegment.copy(
                bytes, 0, sent.memory(), ValueLayout.JAVA_BYTE, (long) index * SLOT, bytes.length);
        QueuePair qp = queuePairs.get(index);
        send = qp.newSendRequest()
                .wrId(index)
                .send()
                .from(sent, (long) index * SLOT, bytes.length)
                .signaled();
        require(qp.post(send), "room for a send");
        sends++;
    }

    /// Polls until every queue pair has received its message, which must be the one with that salt, and all
    /// sends are done; answers each with another when `answer` is not 0.
    void exchange(int salt, int answer) {
        long startNs = NanoClock.SYSTEM.nowNs();
        while (receives < count() || sends > 0) {
            int n = cq.poll(completion -> onCompletion(completion, salt, answer), 64);
            if (n == 0) {
                require(
                        NanoClock.SYSTEM.nowNs() - startNs < PATIENCE.toNanos(),
                        "an end in time; received " + receives + ", sends open " + sends + ", " + context.counters());
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
    }

    private void onCompletion(WorkCompletion completion, int salt, int answer) {
        require(completion.status() == CompletionStatus.SUCCESS, "success, not " + completion);
        int index = indexByNumber.get(completion.qpNumber());
        require(completion.wrId() == index, "the request of its queue pair, not " + completion);
        if (!completion.opcode().isReceive()) {
            sends--;
            return;
        }
        byte[] bytes = received.memory()
                .asSlice((long) index * SLOT, completion.byteLength())
                .toArray(ValueLayout.JAVA_BYTE);
        require(java.util.Arrays.equals(message(index, salt), bytes), "the message of queue pair " + index);
        receives++;
        if (answer != 0) {
            send(index, answer);
        }
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError("expected " + what);
        }
    }

    @Override
    public void close() {
        context.closeAll();
    }
}
