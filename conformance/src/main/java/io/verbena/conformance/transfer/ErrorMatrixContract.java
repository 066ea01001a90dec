package io.verbena.conformance.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.GuardedRegion;
import io.verbena.conformance.bench.LinkEnd;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.conformance.bench.Violation;
import io.verbena.verbs.RemoteBuffer;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AtomicCapability;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.SharedReceiveQueueOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Each operation against each way to be wrong, on reliable connections: the status on both sides, the state
/// that both queue pairs end in, receives flushed, and no byte changed inside the regions or around them.
public abstract class ErrorMatrixContract extends Contract {
    private static final Access[] RECEIVABLE = {Access.LOCAL_WRITE};

    protected ErrorMatrixContract() {}

    // ---- rows: the peer's memory ----

    private Map<String, Function<ErrorScenario, RemoteBuffer>> wrongTargets(RemoteAccess access) {
        Map<String, Function<ErrorScenario, RemoteBuffer>> wrong = new LinkedHashMap<>();
        wrong.put("another variant of the key", s -> s.far(0, s.far.region().rkey() ^ 1));
        wrong.put("a key nobody has", s -> s.far(0, s.far.region().rkey() ^ 0x7F_FF00));
        wrong.put(
                "the word behind the end",
                s -> s.far(GuardedRegion.BYTES, s.far.region().rkey()));
        wrong.put("the word before the start", s -> s.far(-8, s.far.region().rkey()));
        wrong.put(
                "a region without the right",
                s -> s.extra(new GuardedRegion(right(), 5, access.rightsButOwn()))
                        .region()
                        .remote());
        wrong.put(
                "a region of another domain",
                s -> s.extra(new GuardedRegion(right(), right().otherPd(), 6, access.rights()))
                        .region()
                        .remote());
        wrong.put("a closed region", s -> {
            GuardedRegion gone = s.extra(new GuardedRegion(right(), 7, access.rights()));
            RemoteBuffer remote = gone.region().remote();
            gone.region().close();
            return remote;
        });
        if (access.worksThroughWindow()) {
            wrong.put("a window that was revoked", ErrorScenario::revokedWindow);
        }
        return wrong;
    }

    @TestFactory
    @Rule({"TAB-1", "MR-2", "MR-3", "MR-4", "MR-5", "ERR-1", "ERR-3"})
    List<DynamicTest> shouldEndBothSidesWhenTheRemoteMemoryIsWrong() {
        List<DynamicTest> rows = new ArrayList<>();
        for (RemoteAccess access : RemoteAccess.values()) {
            wrongTargets(access)
                    .forEach((name, target) -> rows.add(dynamicTest(access + " to " + name, () -> {
                        ErrorScenario stage = stage(access, access.options());
                        RemoteBuffer remote = target.apply(stage);
                        stage.post(access, remote.address(), remote.rkey());
                        stage.expectBothFail(Violation.REMOTE_MEMORY, right().quirks());
                    })));
        }
        return rows;
    }

    @TestFactory
    @Rule({"TAB-2", "MR-3", "ERR-1"})
    List<DynamicTest> shouldEndBothSidesWhenTheQueuePairDoesNotGrantIt() {
        List<DynamicTest> rows = new ArrayList<>();
        for (RemoteAccess access : RemoteAccess.values()) {
            rows.add(dynamicTest(access.toString(), () -> {
                ErrorScenario stage = stage(access, access.options().access(access.rightsButOwn()));
                stage.post(
                        access, stage.far.region().address(), stage.far.region().rkey());
                stage.expectBothFail(Violation.REMOTE_QUEUE_PAIR_RIGHT, right().quirks());
            }));
        }
        return rows;
    }

    @TestFactory
    @Rule("TAB-3")
    List<DynamicTest> shouldEndBothSidesWhenTheResponderServesNoReads() {
        List<DynamicTest> rows = new ArrayList<>();
        for (RemoteAccess access : RemoteAccess.values()) {
            if (access.usesReadResource()) {
                rows.add(dynamicTest(access.toString(), () -> {
                    ErrorScenario stage = stage(access, access.options().reads(1, 0));
                    stage.post(
                            access,
                            stage.far.region().address(),
                            stage.far.region().rkey());
                    stage.expectBothFail(Violation.NO_READ_RESOURCES, right().quirks());
                }));
            }
        }
        return rows;
    }

    // ---- rows: the own buffer ----

    @TestFactory
    @Rule({"TAB-4", "TAB-5", "MR-1", "MR-4", "MR-5", "ERR-1"})
    List<DynamicTest> shouldEndOnlyTheRequesterWhenItsOwnBufferIsWrong() {
        List<DynamicTest> rows = new ArrayList<>();
        for (RemoteAccess access : List.of(RemoteAccess.WRITE, RemoteAccess.READ, RemoteAccess.FETCH_AND_ADD)) {
            boolean brings = access != RemoteAccess.WRITE;
            Violation key = brings ? Violation.READ_BUFFER : Violation.SEND_BUFFER_KEY;
            Violation range = brings ? Violation.READ_BUFFER : Violation.SEND_BUFFER_RANGE;
            rows.add(localRow(access, "another variant of the key", key, s ->
                    new long[] {s.near.region().address(), s.near.region().lkey() ^ 1}));
            rows.add(localRow(access, "the word behind the end", range, s -> new long[] {
                s.near.region().address() + GuardedRegion.BYTES, s.near.region().lkey()
            }));
            rows.add(localRow(
                    access,
                    "a region of another domain",
                    key,
                    s -> s.slice(s.extra(new GuardedRegion(left(), left().otherPd(), 8, RECEIVABLE)))));
            if (brings) {
                rows.add(localRow(
                        access,
                        "a region without LOCAL_WRITE",
                        key,
                        s -> s.slice(s.extra(new GuardedRegion(left(), 9, Access.REMOTE_READ)))));
            }
        }
        return rows;
    }

    private DynamicTest localRow(
            RemoteAccess access, String name, Violation violation, Function<ErrorScenario, long[]> slice) {
        return dynamicTest(access + " with " + name, () -> {
            ErrorScenario stage = stage(access, access.options());
            long[] wrong = slice.apply(stage);
            SendRequest request = access.apply(
                    stage.request(),
                    stage.far.region().address() + 8,
                    stage.far.region().rkey(),
                    stage.near.region());
            stage.left.post(request.fromAddress(wrong[0], 8, (int) wrong[1]));
            stage.expectLeftFails(violation, left().quirks());
            if (access.isAtomic()) { // the peer may have executed it before its answer was refused
                stage.far.assertUnchangedBut(8, 8);
            } else {
                stage.far.assertUnchanged();
            }
        });
    }

    // ---- rows: the receive ----

    @TestFactory
    @Rule({"TAB-6", "TAB-7", "ERR-1", "ERR-3"})
    List<DynamicTest> shouldEndBothSidesWhenTheReceiveIsWrong() {
        List<DynamicTest> rows = new ArrayList<>();
        rows.add(receiveRow("too small", Violation.RECEIVE_TOO_SMALL, s ->
                new long[] {s.far.region().address(), 7, s.far.region().lkey()}));
        rows.add(receiveRow("another variant of the key", Violation.RECEIVE_BUFFER, s ->
                new long[] {s.far.region().address(), 8, s.far.region().lkey() ^ 1}));
        rows.add(receiveRow("behind the end", Violation.RECEIVE_BUFFER, s -> new long[] {
            s.far.region().address() + GuardedRegion.BYTES - 4,
            8,
            s.far.region().lkey()
        }));
        rows.add(receiveRow("a region without LOCAL_WRITE", Violation.RECEIVE_BUFFER, s -> {
            long[] slice = s.slice(s.extra(new GuardedRegion(right(), 9, Access.REMOTE_READ)));
            return new long[] {slice[0], 8, slice[1]};
        }));
        return rows;
    }

    private DynamicTest receiveRow(String name, Violation violation, Function<ErrorScenario, long[]> buffer) {
        return dynamicTest(name, () -> {
            ErrorScenario stage = stage(LinkOptions.DEFAULT);
            long[] into = buffer.apply(stage);
            assertTrue(stage.right
                    .qp()
                    .post(stage.right.qp().newReceiveRequest().wrId(1).intoAddress(into[0], into[1], (int) into[2])));
            stage.right.receiveEmpty(2);
            stage.left.post(stage.request().send().from(stage.near.region(), 0, 8));
            stage.expectSent(violation, right().quirks());
            var receive = stage.right.received();
            assertEquals(1, receive.wrId());
            assertTrue(
                    right().quirks().acceptsResponder(violation, receive.status()),
                    () -> "the receive ended with " + receive.status());
            stage.right.received(2, CompletionStatus.WORK_REQUEST_FLUSHED);
            stage.expectStates(QueuePairState.ERR, QueuePairState.ERR);
            stage.expectNothingChanged();
        });
    }

    // ---- rows: windows and keys of one's own ----

    @TestFactory
    @Rule({"MW-3", "MW-4", "ERR-1"})
    List<DynamicTest> shouldEndOnlyTheOwnerWhenAWindowOrAKeyIsWrong() {
        return List.of(
                dynamicTest("a window on a region that may not have one", () -> {
                    ErrorScenario stage = stage(LinkOptions.DEFAULT);
                    stage.bind(stage.near, 0);
                    stage.expectLeftFails(Violation.WINDOW_BINDING, left().quirks());
                    stage.far.assertUnchanged();
                }),
                dynamicTest("a window that sticks out of its region", () -> {
                    ErrorScenario stage = stage(LinkOptions.DEFAULT);
                    GuardedRegion bindable =
                            stage.extra(new GuardedRegion(left(), 3, Access.LOCAL_WRITE, Access.MEMORY_WINDOW_BIND));
                    stage.bind(bindable, GuardedRegion.BYTES - 7);
                    stage.expectLeftFails(Violation.WINDOW_BINDING, left().quirks());
                    stage.far.assertUnchanged();
                }),
                dynamicTest("a key of one's own that nobody has", () -> {
                    ErrorScenario stage = stage(LinkOptions.DEFAULT);
                    stage.left.post(stage.request().localInvalidate(0x7777_7700));
                    stage.expectLeftFails(Violation.LOCAL_INVALIDATION, left().quirks());
                    stage.far.assertUnchanged();
                }));
    }

    // ---- rows: shared receive queue ----

    @TestFactory
    @Rule({"ERR-4", "TAB-1"})
    List<DynamicTest> shouldLeaveSharedReceivesAloneWhenAQueuePairFails() {
        return List.of(dynamicTest("WRITE with another key", () -> {
            var shared = right().keep(right().pd().createSharedReceiveQueue(SharedReceiveQueueOptions.of(4)));
            assertTrue(shared.post(shared.newReceiveRequest().wrId(1).empty()));
            LinkEnd left = LinkEnd.withSharedReceiveQueue(left(), LinkOptions.DEFAULT, 1, null);
            LinkEnd right = LinkEnd.withSharedReceiveQueue(right(), LinkOptions.DEFAULT, 2, shared);
            QueuePairLink link = new QueuePairLink(left, right, LinkOptions.DEFAULT);
            link.connect();
            ErrorScenario stage = new ErrorScenario(left(), right(), link, LinkOptions.DEFAULT.access());
            stage.left.post(stage.request()
                    .write(stage.far.region().address(), stage.far.region().rkey() ^ 1)
                    .from(stage.near.region(), 0, 8));
            stage.expectSent(Violation.REMOTE_MEMORY, right().quirks());
            stage.expectStates(QueuePairState.ERR, QueuePairState.ERR);
            stage.expectNothingChanged();
        }));
    }

    private ErrorScenario stage(RemoteAccess access, LinkOptions options) {
        for (var side : List.of(left(), right())) {
            var attributes = side.context().attributes();
            assumeTrue(
                    access.capability() == null || attributes.capabilities().contains(access.capability()),
                    () -> side + ": the device does not have " + access);
            assumeTrue(
                    !access.isAtomic() || attributes.atomics() != AtomicCapability.NONE,
                    () -> side + ": the device has no atomics");
        }
        return new ErrorScenario(left(), right(), link(options), access.rights());
    }

    private ErrorScenario stage(LinkOptions options) {
        return new ErrorScenario(left(), right(), link(options), options.access());
    }
}
