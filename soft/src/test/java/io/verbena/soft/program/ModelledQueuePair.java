package io.verbena.soft.program;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.rig.GuardedMemory;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SharedReceiveQueue;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Mtu;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/// One peer's end of a connection to another: its queue pair, its memory, and plain arrays that must hold the same.
/// Operations of both ends are applied to the arrays when they are posted, because a queue pair works in order.
final class ModelledQueuePair {
    static final int AREA = 32 * 1024;
    static final int SLOTS = 8;
    static final int SLOT_BYTES = 12 * 1024;
    static final int STUBS = 16;

    final ProgramHost host;
    final QueuePair qp;
    final int psn;
    /// The memory of local buffers (sources in the lower half, targets in the upper), and the memory that the peer may
    /// access.
    final GuardedMemory near;

    final GuardedMemory open;
    final byte[] nearModel = new byte[2 * AREA];
    final byte[] openModel = new byte[AREA];
    final GuardedMemory stubs;
    final ModelledWindow window;
    final Deque<PendingRequest> outstanding = new ArrayDeque<>();
    final Deque<ExpectedMessage> expected = new ArrayDeque<>();
    final List<WorkCompletion> ending = new ArrayList<>();
    private final GuardedMemory slots;
    private final byte[] slotsModel = new byte[SLOTS * SLOT_BYTES];
    private final Deque<Integer> freeSlots = new ArrayDeque<>();
    private final SharedReceiveQueue shared;
    private final String run;
    ModelledQueuePair peer;
    private boolean over;

    ModelledQueuePair(ProgramHost host, SharedReceiveQueue shared, Random random, String run) {
        this.host = host;
        this.run = run;
        this.shared = shared;
        psn = random.nextBoolean() ? 0xFF_FFFF - random.nextInt(30) : random.nextInt(1 << 24);
        QueuePairOptions options = QueuePairOptions.rc(host.cq)
                .sendRequests(16)
                .receiveRequests(16)
                .inlineBytes(64);
        qp = host.pd.createQueuePair(shared == null ? options : options.sharedReceiveQueue(shared));
        near = host.environment.memory(host.pd, 2 * AREA, Access.LOCAL_WRITE);
        open = host.environment.memory(host.pd, AREA, ProgramHost.ALL_RIGHTS);
        slots = host.environment.memory(host.pd, SLOTS * SLOT_BYTES, Access.LOCAL_WRITE);
        stubs = host.environment.memory(host.pd, STUBS * Long.BYTES, Access.LOCAL_WRITE);
        window = new ModelledWindow(host.pd);
        fill(near, nearModel, random);
        fill(open, openModel, random);
        fill(slots, slotsModel, random);
        for (int slot = 0; slot < SLOTS; slot++) {
            freeSlots.add(slot);
        }
    }

    private static void fill(GuardedMemory memory, byte[] model, Random random) {
        random.nextBytes(model);
        MemorySegment.copy(model, 0, memory.region().memory(), ValueLayout.JAVA_BYTE, 0, model.length);
    }

    void connect(ModelledQueuePair other, Mtu mtu, int readsInFlight) {
        peer = other;
        qp.modify(QueuePairChange.toInit().access(ProgramHost.ALL_RIGHTS));
        qp.modify(QueuePairChange.toRtr(AddressVector.to(other.host.gid()), other.qp.number(), other.psn)
                .pathMtu(mtu)
                .maxDestinationReadAtomic(readsInFlight)
                .minRnrTimer(5));
        qp.modify(QueuePairChange.toRts(psn).maxReadAtomic(readsInFlight));
    }

    boolean hasFreeSlot() {
        return !freeSlots.isEmpty();
    }

    /// Receives of a shared queue are the first queue pair's.
    boolean mayPostReceives() {
        return shared == null || host.queuePairs.getFirst() == this;
    }

    void postReceive() {
        int slot = freeSlots.poll();
        ReceiveRequest request = (shared == null ? qp.newReceiveRequest() : shared.newReceiveRequest())
                .wrId(slot)
                .into(slots.region(), (long) slot * SLOT_BYTES, SLOT_BYTES / 2)
                .and(slots.region(), (long) slot * SLOT_BYTES + SLOT_BYTES / 2, SLOT_BYTES / 2);
        assertTrue(shared == null ? qp.post(request) : shared.post(request), run);
    }

    /// Whether all receives have ended that end with the connection, each once: those of a shared queue stay, but for
    /// one that was in use.
    boolean hasFlushed(int receives) {
        int waiting = SLOTS - freeSlots.size();
        assertTrue(receives <= (shared == null ? waiting : 1), () -> run + ": flushed " + ending);
        return shared != null || receives == waiting;
    }

    /// From now on completions are only collected.
    void end() {
        over = true;
    }

    boolean isOver() {
        return over;
    }

    boolean isDone() {
        return outstanding.isEmpty() && expected.isEmpty();
    }

    void onSent(WorkCompletion completion) {
        assertEquals(CompletionStatus.SUCCESS, completion.status(), () -> run + ": " + completion + " on " + this);
        PendingRequest done;
        do {
            done = outstanding.poll();
            assertNotNull(done, () -> run + ": nothing was posted that " + completion + " could be the end of");
            onDone(done);
        } while (done.wrId() < completion.wrId());
        assertEquals(completion.wrId(), done.wrId(), run + ": completions in posting order");
        CompletionOpcode opcode = switch (done.kind()) {
            case SEND, SEND_WITH_IMMEDIATE, SEND_WITH_INVALIDATE -> CompletionOpcode.SEND;
            case WRITE, WRITE_WITH_IMMEDIATE -> CompletionOpcode.RDMA_WRITE;
            case READ -> CompletionOpcode.RDMA_READ;
            case COMPARE_AND_SWAP -> CompletionOpcode.COMPARE_AND_SWAP;
            case FETCH_AND_ADD, TICKET -> CompletionOpcode.FETCH_AND_ADD;
            case ATOMIC_WRITE -> CompletionOpcode.ATOMIC_WRITE;
            case FLUSH -> CompletionOpcode.FLUSH;
            case BIND_WINDOW -> CompletionOpcode.BIND_MEMORY_WINDOW;
            case LOCAL_INVALIDATE -> CompletionOpcode.LOCAL_INVALIDATE;
        };
        assertEquals(opcode, completion.opcode(), run);
    }

    private void onDone(PendingRequest done) {
        if (done.throughWindow()) {
            peer.window.users--;
        }
        switch (done.kind()) {
            case TICKET ->
                peer.host.onTicket(
                        stubs.region().memory().get(ValueLayout.JAVA_LONG_UNALIGNED, done.wrId() % STUBS * Long.BYTES));
            case BIND_WINDOW -> window.state = ModelledWindow.State.BOUND;
            case LOCAL_INVALIDATE -> window.state = ModelledWindow.State.FREE;
            default -> {
                ByteRange landing = done.landing();
                // The model is ahead by what was posted since.
                if (landing.length() > 0
                        && outstanding.stream()
                                .noneMatch(later -> later.landing().overlaps(landing))) {
                    assertModel(near, nearModel, landing.from(), landing.length(), done.kind() + " brought");
                }
            }
        }
    }

    void onReceived(WorkCompletion completion) {
        assertEquals(CompletionStatus.SUCCESS, completion.status(), () -> run + ": " + completion + " on " + this);
        ExpectedMessage message = expected.poll();
        assertNotNull(message, () -> run + ": a message nobody sent: " + completion);
        assertEquals(message.length(), completion.byteLength(), run);
        assertEquals(message.hasImmediate(), completion.hasImmediate(), run);
        if (message.hasImmediate()) {
            assertEquals(message.immediate(), completion.immediate(), run);
        }
        assertEquals(message.invalidatedKey() != 0, completion.hasInvalidatedKey(), run);
        if (message.invalidatedKey() != 0) {
            assertEquals(message.invalidatedKey(), completion.invalidatedKey(), run);
            window.state = ModelledWindow.State.FREE;
        }
        int slot = (int) completion.wrId();
        ModelledQueuePair owner = ownerOf(slot);
        if (message.bytes() != null) {
            System.arraycopy(message.bytes(), 0, owner.slotsModel, slot * SLOT_BYTES, message.bytes().length);
        }
        owner.assertModel(owner.slots, owner.slotsModel, slot * SLOT_BYTES, SLOT_BYTES, "received");
        owner.freeSlots.add(slot);
    }

    /// With a shared receive queue all receives are of the host's first queue pair that uses it.
    private ModelledQueuePair ownerOf(int slot) {
        return shared == null ? this : host.queuePairs.getFirst();
    }

    void assertModel(GuardedMemory memory, byte[] model, int from, int length, String what) {
        byte[] wanted = java.util.Arrays.copyOfRange(model, from, from + length);
        assertArrayEquals(wanted, memory.bytes(from, length), () -> run + ": " + what + " at " + from + " on " + this);
    }

    void verify() {
        assertModel(near, nearModel, 0, nearModel.length, "memory");
        assertModel(open, openModel, 0, openModel.length, "open memory");
        assertModel(slots, slotsModel, 0, slotsModel.length, "receives");
        near.assertGuardsUntouched();
        open.assertGuardsUntouched();
        slots.assertGuardsUntouched();
        stubs.assertGuardsUntouched();
    }

    @Override
    public String toString() {
        return "%s: %d outstanding %s, %d expected, window %s, %s"
                .formatted(
                        host.name, outstanding.size(), outstanding.peek(), expected.size(), window.state, qp.state());
    }
}
