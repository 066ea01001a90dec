package io.verbena.conformance.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.conformance.bench.GuardedRegion;
import io.verbena.conformance.bench.LinkEnd;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.conformance.bench.Quirks;
import io.verbena.conformance.bench.Quirks.Deviation;
import io.verbena.conformance.bench.TestDevice;
import io.verbena.conformance.bench.Violation;
import io.verbena.verbs.Keys;
import io.verbena.verbs.MemoryWindow;
import io.verbena.verbs.RemoteBuffer;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.MemoryWindowType;
import io.verbena.verbs.attr.QueuePairState;
import java.util.ArrayList;
import java.util.List;

/// A connection, guarded memory on both sides, and what a row expects of them.
final class ErrorScenario {
    final GuardedRegion near;
    final GuardedRegion far;
    final LinkEnd left;
    final LinkEnd right;
    private final TestDevice leftSide;
    private final TestDevice rightSide;
    private final List<GuardedRegion> extras = new ArrayList<>();

    ErrorScenario(TestDevice leftSide, TestDevice rightSide, QueuePairLink link, Access... farRights) {
        this.leftSide = leftSide;
        this.rightSide = rightSide;
        near = new GuardedRegion(leftSide, 1, Access.LOCAL_WRITE);
        far = new GuardedRegion(rightSide, 2, farRights);
        left = link.left();
        right = link.right();
    }

    /// Memory that must stay as it is, too.
    GuardedRegion extra(GuardedRegion memory) {
        extras.add(memory);
        return memory;
    }

    RemoteBuffer far(long offset, int rkey) {
        return new RemoteBuffer(far.region().address() + offset, GuardedRegion.BYTES, rkey);
    }

    long[] slice(GuardedRegion memory) {
        return new long[] {memory.region().address(), memory.region().lkey()};
    }

    /// The violation itself is request 11.
    SendRequest request() {
        return left.request(11);
    }

    void post(RemoteAccess access, long address, int rkey) {
        left.post(access.apply(request(), address, rkey, near.region()));
    }

    /// A window of the right side's that was bound for all and revoked again.
    RemoteBuffer revokedWindow() {
        GuardedRegion bindable = extra(new GuardedRegion(
                rightSide, 4, Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC, Access.MEMORY_WINDOW_BIND));
        MemoryWindow window = rightSide.keep(rightSide.pd().allocateMemoryWindow(MemoryWindowType.TYPE_2));
        int rkey = Keys.increment(window.rkey());
        long address = bindable.region().address();
        right.post(right.request(50)
                .bindMemoryWindow(
                        window,
                        rkey,
                        bindable.region(),
                        address,
                        64,
                        Access.REMOTE_READ,
                        Access.REMOTE_WRITE,
                        Access.REMOTE_ATOMIC));
        right.sent(50);
        right.post(right.request(51).localInvalidate(rkey));
        right.sent(51);
        return new RemoteBuffer(address, 64, rkey);
    }

    /// Binds eight bytes of the left side's.
    void bind(GuardedRegion memory, long offset) {
        MemoryWindow window = leftSide.keep(leftSide.pd().allocateMemoryWindow(MemoryWindowType.TYPE_2));
        left.post(request()
                .bindMemoryWindow(
                        window,
                        Keys.increment(window.rkey()),
                        memory.region(),
                        memory.region().address() + offset,
                        8,
                        Access.REMOTE_WRITE));
    }

    /// Request 11 fails and request 12 behind it is flushed.
    void expectSent(Violation violation, Quirks quirks) {
        // Without a fence a SEND could arrive before the bytes of a READ find no place.
        left.post(left.request(12).send().empty().unsignaled().fenced());
        var completion = left.sent();
        assertEquals(11, completion.wrId());
        assertTrue(
                quirks.acceptsRequester(violation, completion.status()),
                () -> "the request ended with " + completion.status() + ", not " + violation.requester());
        left.sent(12, CompletionStatus.WORK_REQUEST_FLUSHED);
    }

    void expectBothFail(Violation violation, Quirks quirks) {
        boolean flushes = !rightSide.quirks().has(Deviation.RECEIVE_IN_ERROR_NOT_FLUSHED); // it may be in ERR already
        if (flushes) {
            right.receiveEmpty(2);
        }
        expectSent(violation, quirks);
        if (flushes) {
            right.received(2, CompletionStatus.WORK_REQUEST_FLUSHED);
        }
        expectStates(QueuePairState.ERR, QueuePairState.ERR);
        expectNothingChanged();
    }

    /// The row itself checks what changed at the peer.
    void expectLeftFails(Violation violation, Quirks quirks) {
        right.receiveEmpty(2);
        expectSent(violation, quirks);
        expectStates(QueuePairState.ERR, QueuePairState.RTS);
        near.assertUnchanged();
        extras.forEach(GuardedRegion::assertUnchanged);
    }

    void expectStates(QueuePairState ofLeft, QueuePairState ofRight) {
        left.awaitState(ofLeft);
        right.awaitState(ofRight);
        left.expectNoCompletion();
        right.expectNoCompletion();
    }

    void expectNothingChanged() {
        near.assertUnchanged();
        far.assertUnchanged();
        extras.forEach(GuardedRegion::assertUnchanged);
    }
}
