package io.verbena.conformance.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.conformance.bench.End;
import io.verbena.conformance.bench.Guarded;
import io.verbena.conformance.bench.Link;
import io.verbena.conformance.bench.Quirks;
import io.verbena.conformance.bench.Quirks.Deviation;
import io.verbena.conformance.bench.Side;
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
final class ErrorStage {
    final Guarded near;
    final Guarded far;
    final End left;
    final End right;
    private final Side leftSide;
    private final Side rightSide;
    private final List<Guarded> extras = new ArrayList<>();

    ErrorStage(Side leftSide, Side rightSide, Link link, Access... farRights) {
        this.leftSide = leftSide;
        this.rightSide = rightSide;
        near = new Guarded(leftSide, 1, Access.LOCAL_WRITE);
        far = new Guarded(rightSide, 2, farRights);
        left = link.left();
        right = link.right();
    }

    /// Memory that must stay as it is, too.
    Guarded extra(Guarded memory) {
        extras.add(memory);
        return memory;
    }

    RemoteBuffer far(long offset, int rkey) {
        return new RemoteBuffer(far.region().address() + offset, Guarded.BYTES, rkey);
    }

    long[] slice(Guarded memory) {
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
        Guarded bindable = extra(new Guarded(
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
    void bind(Guarded memory, long offset) {
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

    /// What changed at the peer is for the row to look at.
    void expectLeftFails(Violation violation, Quirks quirks) {
        right.receiveEmpty(2);
        expectSent(violation, quirks);
        expectStates(QueuePairState.ERR, QueuePairState.RTS);
        near.assertUnchanged();
        extras.forEach(Guarded::assertUnchanged);
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
        extras.forEach(Guarded::assertUnchanged);
    }
}
