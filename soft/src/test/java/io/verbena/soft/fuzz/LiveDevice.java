package io.verbena.soft.fuzz;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.packet.Transport;
import io.verbena.soft.cm.SoftConnectionManager;
import io.verbena.soft.device.SoftContext;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.net.SimulatedNetwork;
import io.verbena.soft.rig.GuardedMemory;
import io.verbena.soft.rig.LoneDevice;
import io.verbena.verbs.AddressHandle;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Keys;
import io.verbena.verbs.MemoryWindow;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.SharedReceiveQueue;
import io.verbena.verbs.UnsupportedVerbException;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.MemoryWindowType;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.SharedReceiveQueueOptions;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/// A device in a simulated network with a queue pair of every kind it offers towards a hostile peer, memory of every
/// kind of right, and one honest connection that must go on working.
final class LiveDevice implements AutoCloseable {
    static final int MTU = 256;
    static final InetAddress ADDRESS = InetAddress.ofLiteral("10.0.0.1");
    static final InetAddress ATTACKER = InetAddress.ofLiteral("10.0.0.66");
    static final int ATTACKER_QP = 0x77;
    static final int ATTACKER_PSN = 0xFF_FFF8;
    static final int DEVICE_PSN = 0x1000;
    static final int QKEY = 0x11;
    private static final InetAddress FRIEND = InetAddress.ofLiteral("10.0.0.2");
    private static final Duration LONG = Duration.ofSeconds(600);
    private static final int REGION = 8 * MTU;
    private static final int MOST_TIMERS = 200;

    /// One queue pair towards the attacker, and where its streams are.
    static final class Victim {
        final QueuePair qp;
        final Transport transport;
        /// The number that the attacker claims to have.
        final int peer;
        /// Where its receives come from, when not from itself.
        SharedReceiveQueue shared;

        AddressHandle handle;
        /// A window that the attacker may use and revoke.
        MemoryWindow window;

        int nextPsn = ATTACKER_PSN;

        Victim(QueuePair qp, Transport transport, int peer) {
            this.qp = qp;
            this.transport = transport;
            this.peer = peer;
        }
    }

    final SimulatedNetwork network = new SimulatedNetwork(1);
    final SoftContext context;
    final SoftConnectionManager connections;
    final List<Victim> victims = new ArrayList<>();
    /// May be read and written by anybody with the key; the others by nobody.
    final GuardedMemory open;

    final GuardedMemory readOnly;
    final GuardedMemory foreign;
    private final GuardedMemory received;
    private final GuardedMemory source;
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final Set<Long> outstanding = new HashSet<>();
    private final SoftContext friend;
    private long nextWrId = 1;

    LiveDevice() {
        LoneDevice ground = new LoneDevice(network, ADDRESS, 1);
        connections = new SoftConnectionManager(ground);
        context = ground.device().open();
        friend = new LoneDevice(network, FRIEND, 2).device().open();
        pd = context.allocateProtectionDomain();
        cq = context.createCompletionQueue(4096);
        open = guarded(
                pd,
                Access.LOCAL_WRITE,
                Access.REMOTE_READ,
                Access.REMOTE_WRITE,
                Access.REMOTE_ATOMIC,
                Access.MEMORY_WINDOW_BIND);
        readOnly = new GuardedMemory(pd, REGION, Access.REMOTE_READ);
        foreign = new GuardedMemory(context.allocateProtectionDomain(), REGION);
        received = new GuardedMemory(pd, REGION, Access.LOCAL_WRITE);
        source = new GuardedMemory(pd, REGION, new Access[0]);
        addVictims();
    }

    /// With the rights that the device knows.
    private static GuardedMemory guarded(ProtectionDomain pd, Access... wanted) {
        try {
            return new GuardedMemory(pd, REGION, wanted);
        } catch (UnsupportedVerbException without) {
            EnumSet<Access> rights = EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE);
            return new GuardedMemory(pd, REGION, rights.toArray(Access[]::new));
        }
    }

    private void addVictims() {
        for (int i = 0; i < 3; i++) {
            add(Transport.RC, () -> pd.createQueuePair(options(QueuePairOptions.rc(cq))));
        }
        addWithSharedReceiveQueue();
        add(Transport.UC, () -> pd.createQueuePair(options(QueuePairOptions.uc(cq))));
        add(Transport.UD, () -> pd.createQueuePair(options(QueuePairOptions.ud(cq))));
    }

    private void addWithSharedReceiveQueue() {
        SharedReceiveQueue[] shared = new SharedReceiveQueue[1];
        add(Transport.RC, () -> {
            shared[0] = pd.createSharedReceiveQueue(SharedReceiveQueueOptions.of(16));
            return pd.createQueuePair(options(QueuePairOptions.rc(cq)).sharedReceiveQueue(shared[0]));
        });
        victims.getLast().shared = shared[0];
    }

    private static QueuePairOptions options(QueuePairOptions options) {
        return options.sendRequests(16).receiveRequests(16);
    }

    private void add(Transport transport, Supplier<QueuePair> maker) {
        QueuePair qp;
        try {
            qp = maker.get();
        } catch (UnsupportedVerbException notYet) {
            return;
        }
        Victim victim = new Victim(qp, transport, ATTACKER_QP + victims.size());
        victims.add(victim);
        connect(victim);
    }

    /// From RESET to RTS, with streams that start anew.
    void connect(Victim victim) {
        AddressVector to = AddressVector.to(ATTACKER);
        victim.nextPsn = ATTACKER_PSN;
        switch (victim.transport) {
            case RC -> {
                victim.qp.modify(QueuePairChange.toInit().access(Access.REMOTE_READ, Access.REMOTE_WRITE));
                allowAtomics(victim.qp);
                victim.qp.modify(QueuePairChange.toRtr(to, victim.peer, ATTACKER_PSN)
                        .pathMtu(Mtu.MTU_256)
                        .maxDestinationReadAtomic(4));
                victim.qp.modify(QueuePairChange.toRts(DEVICE_PSN).timeout(8).rnrRetry(3));
            }
            case UC -> {
                victim.qp.modify(QueuePairChange.toInit().access(Access.REMOTE_WRITE));
                victim.qp.modify(QueuePairChange.toRtrUnreliable(to, victim.peer, ATTACKER_PSN)
                        .pathMtu(Mtu.MTU_256));
                victim.qp.modify(QueuePairChange.toRtsUnreliable(DEVICE_PSN));
            }
            default -> {
                if (victim.handle == null) {
                    victim.handle = pd.createAddressHandle(to);
                }
                victim.qp.modify(QueuePairChange.toInit(QKEY));
                victim.qp.modify(QueuePairChange.toRtr());
                victim.qp.modify(QueuePairChange.toRtsUnreliable(DEVICE_PSN));
            }
        }
    }

    private static void allowAtomics(QueuePair qp) {
        try {
            qp.modify(QueuePairChange.to(QueuePairState.INIT)
                    .access(Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC));
        } catch (UnsupportedVerbException without) {
            assertEquals(QueuePairState.INIT, qp.state());
        }
    }

    /// Binds the victim's window to the first half of the open memory, again when it was revoked.
    void bind(Victim victim) {
        if (victim.window == null) {
            victim.window = pd.allocateMemoryWindow(MemoryWindowType.TYPE_2);
        }
        long wrId = nextWrId();
        posted(wrId);
        victim.qp.post(victim.qp
                .newSendRequest()
                .wrId(wrId)
                .bindMemoryWindow(
                        victim.window,
                        Keys.increment(victim.window.rkey()),
                        open.region(),
                        open.address(),
                        open.length() / 2,
                        Access.REMOTE_READ,
                        Access.REMOTE_WRITE,
                        Access.REMOTE_ATOMIC)
                .signaled());
    }

    long nextWrId() {
        return nextWrId++;
    }

    /// Notes that a request was taken, so that it must end at most once.
    void posted(long wrId) {
        outstanding.add(wrId);
    }

    GuardedMemory received() {
        return received;
    }

    GuardedMemory source() {
        return source;
    }

    void poll() {
        cq.poll(
                completion -> assertTrue(outstanding.remove(completion.wrId()), () -> completion + " ended twice"),
                4096);
    }

    void run(Duration time) {
        network.run(time);
        poll();
    }

    /// The invariants that hold for every input.
    void verify() {
        assertEquals(0, context.counters().getOrDefault(Counter.ENGINE_FAULTS.label(), 0L), "faults in the engine");
        open.assertGuardsUntouched();
        received.assertGuardsUntouched();
        readOnly.assertUntouched();
        foreign.assertUntouched();
        source.assertUntouched();
        int timers = context.engines().first().timers().size();
        assertTrue(timers < MOST_TIMERS, () -> timers + " timers");
        talkToFriend();
    }

    private void talkToFriend() {
        try (HonestConnection honest = new HonestConnection(context, friend, network)) {
            byte[] data = new byte[3 * MTU + 1];
            new java.util.Random(1).nextBytes(data);
            assertEquals(CompletionStatus.SUCCESS, honest.transfer(data, LONG));
            assertArrayEquals(data, honest.written());
            assertArrayEquals(data, honest.received());
        }
    }

    @Override
    public void close() {
        friend.closeAll();
        context.closeAll();
    }
}
