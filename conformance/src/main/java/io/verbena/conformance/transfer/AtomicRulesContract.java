package io.verbena.conformance.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.LinkEnd;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.conformance.bench.RefusedCall;
import io.verbena.conformance.bench.TestDevice;
import io.verbena.conformance.bench.Violation;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.RemoteBuffer;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AtomicCapability;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// How atomics fail, how many are in flight, and what they wait for.
public abstract class AtomicRulesContract extends Contract {
    private static final Access[] RIGHTS = {
        Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC
    };
    private static final LinkOptions ATOMIC = LinkOptions.DEFAULT.access(RIGHTS);
    private static final int LENGTH = 64;

    protected AtomicRulesContract() {}

    @BeforeEach
    void assumeAtomics() {
        for (TestDevice side : List.of(left(), right())) {
            assumeTrue(
                    side.context().attributes().atomics() != AtomicCapability.NONE,
                    () -> side + ": the device has no atomics");
        }
    }

    private static MemoryRegion words(TestDevice side) {
        return side.memory(LENGTH, RIGHTS);
    }

    private static long word(MemoryRegion region, int index) {
        return region.memory().getAtIndex(ValueLayout.JAVA_LONG, index);
    }

    private static void set(MemoryRegion region, int index, long value) {
        region.memory().setAtIndex(ValueLayout.JAVA_LONG, index, value);
    }

    private static SendRequest add(LinkEnd end, long wrId, long address, int rkey, MemoryRegion local, int index) {
        return end.request(wrId).fetchAndAdd(address, rkey, 1).into(local, 8L * index, 8);
    }

    private static RemoteBuffer at(MemoryRegion region, long offset, int rkey) {
        return new RemoteBuffer(region.address() + offset, LENGTH, rkey);
    }

    private Map<String, Function<MemoryRegion, RemoteBuffer>> aims() {
        Map<String, Function<MemoryRegion, RemoteBuffer>> aims = new TreeMap<>();
        aims.put("another variant of the key", r -> at(r, 0, r.rkey() ^ 1));
        aims.put("a key nobody has", r -> at(r, 0, r.rkey() ^ 0x7F_FF00));
        aims.put("the word behind the end", r -> at(r, LENGTH, r.rkey()));
        aims.put("the word before the start", r -> at(r, -8, r.rkey()));
        aims.put(
                "a region of another domain",
                r -> right().keep(right().otherPd().allocate(LENGTH, RIGHTS)).remote());
        aims.put("a closed region", r -> {
            MemoryRegion gone = words(right());
            RemoteBuffer remote = gone.remote();
            gone.close();
            return remote;
        });
        return aims;
    }

    @TestFactory
    @Rule({"ATM-1", "TAB-1", "MR-2", "MR-4", "MR-5", "ERR-1"})
    List<DynamicTest> shouldRefuseAtomicsOutsideWhatTheKeyOpens() {
        List<DynamicTest> tests = new ArrayList<>();
        aims().forEach((name, aim) -> tests.add(dynamicTest(name, () -> {
            QueuePairLink link = link(ATOMIC);
            MemoryRegion local = words(left());
            MemoryRegion remote = words(right());
            RemoteBuffer target = aim.apply(remote);
            LinkEnd end = link.left();
            link.right().receiveEmpty(5);
            end.post(add(end, 1, target.address(), target.rkey(), local, 0));
            end.post(end.request(2).send().empty());
            end.sent(1, CompletionStatus.REMOTE_ACCESS_ERROR);
            end.sent(2, CompletionStatus.WORK_REQUEST_FLUSHED);
            end.awaitState(QueuePairState.ERR);
            link.right().awaitState(QueuePairState.ERR);
            link.right().received(5, CompletionStatus.WORK_REQUEST_FLUSHED);
            Bytes.assertUnchanged(new byte[LENGTH], remote);
            Bytes.assertUnchanged(new byte[LENGTH], local);
        })));
        return tests;
    }

    @Test
    @Rule({"ATM-1", "TAB-5"})
    void shouldFailWhenTheOldValueHasNoPlace() {
        MemoryRegion readOnly = left().memory(LENGTH, Access.REMOTE_READ);
        MemoryRegion good = words(left());
        long[][] slices = {
            {readOnly.address(), readOnly.lkey()},
            {good.address(), good.lkey() ^ 1},
            {good.address() + LENGTH - 4, good.lkey()}
        };
        for (long[] slice : slices) {
            QueuePairLink link = link(ATOMIC);
            MemoryRegion remote = words(right());
            LinkEnd end = link.left();
            end.post(end.request(1)
                    .fetchAndAdd(remote.address(), remote.rkey(), 1)
                    .fromAddress(slice[0], 8, (int) slice[1]));
            CompletionStatus status = end.sent().status();
            assertTrue(left().quirks().acceptsRequester(Violation.READ_BUFFER, status), () -> "ended with " + status);
            end.awaitState(QueuePairState.ERR);
        }
        Bytes.assertUnchanged(new byte[LENGTH], good);
        Bytes.assertUnchanged(new byte[LENGTH], readOnly);
    }

    @Test
    @Rule({"ATM-1", "TAB-11"})
    void shouldRefuseBuffersThatAreNotAWord() {
        QueuePairLink link = link(ATOMIC);
        LinkEnd end = link.left();
        MemoryRegion local = words(left());
        MemoryRegion remote = words(right());
        for (int length : new int[] {0, 1, 4, 7}) {
            RefusedCall.with(
                    Errno.EINVAL,
                    length + " bytes for the old value",
                    () -> end.qp()
                            .post(end.request(1)
                                    .fetchAndAdd(remote.address(), remote.rkey(), 1)
                                    .into(local, 0, length)));
        }
        RefusedCall.with(
                Errno.EINVAL,
                "an inline atomic",
                () -> end.qp()
                        .post(add(end, 1, remote.address(), remote.rkey(), local, 0)
                                .inline()));
        end.post(add(end, 2, remote.address(), remote.rkey(), local, 0));
        end.sent(2);
        assertEquals(1, word(remote, 0));
    }

    @Test
    @Rule("ORD-5")
    void shouldHoldAtomicsForeverWhenNoneMayBeInFlight() {
        QueuePairLink link = link(ATOMIC.reads(0, 4));
        MemoryRegion local = words(left());
        MemoryRegion remote = words(right());
        LinkEnd end = link.left();
        end.post(add(end, 1, remote.address(), remote.rkey(), local, 0));
        for (int i = 0; i < 10; i++) { // traffic the other way shows that the devices work on
            end.receiveEmpty(i);
            link.right().post(link.right().request(i).send().empty());
            end.received(i);
            link.right().sent(i);
        }
        end.expectNoCompletion();
        assertEquals(0, word(remote, 0));
        end.to(QueuePairState.ERR);
        end.sent(1, CompletionStatus.WORK_REQUEST_FLUSHED);
    }

    @Test
    @Rule("TAB-3")
    void shouldRefuseAtomicsWhenTheResponderServesNone() {
        QueuePairLink link = link(ATOMIC.reads(1, 0));
        MemoryRegion remote = words(right());
        LinkEnd end = link.left();
        end.post(add(end, 1, remote.address(), remote.rkey(), words(left()), 0));
        end.sent(1, CompletionStatus.REMOTE_INVALID_REQUEST);
        link.right().awaitState(QueuePairState.ERR);
        assertEquals(0, word(remote, 0));
    }

    @Test
    @Rule({"ORD-4", "ATM-1"})
    void shouldCarryAtomicsAndReadsBothWaysAtOnce() {
        QueuePairLink link = link(ATOMIC.reads(2, 2));
        MemoryRegion near = left().memory(64 * 8, RIGHTS);
        MemoryRegion far = right().memory(64 * 8, RIGHTS);
        int rounds = 20;
        for (int i = 0; i < rounds; i++) {
            for (LinkEnd end : List.of(link.left(), link.right())) {
                MemoryRegion own = end == link.left() ? near : far;
                MemoryRegion other = end == link.left() ? far : near;
                end.post(
                        i % 3 == 2
                                ? end.request(i).read(other.remote()).into(own, 8L * (8 + i), 8)
                                : add(end, i, other.address(), other.rkey(), own, 8 + i));
            }
        }
        long adds = 0;
        for (int i = 0; i < rounds; i++) {
            for (LinkEnd end : List.of(link.left(), link.right())) {
                end.sent(i);
                long seen = word(end == link.left() ? near : far, 8 + i);
                boolean isRead = i % 3 == 2; // may be executed after the atomics behind it
                assertTrue(isRead ? seen >= adds : seen == adds, "request " + i + " saw " + seen + ", not " + adds);
            }
            adds += i % 3 == 2 ? 0 : 1;
        }
        assertEquals(adds, word(near, 0));
        assertEquals(adds, word(far, 0));
    }

    @Test
    @Rule({"ORD-3", "ORD-2"})
    void shouldWriteOverAWordOnlyAfterTheAtomicWhenFenced() {
        QueuePairLink link = link(ATOMIC);
        MemoryRegion local = words(left());
        MemoryRegion remote = words(right());
        LinkEnd end = link.left();
        for (int round = 1; round <= 5; round++) {
            set(remote, 0, 1000L * round);
            set(local, 1, round);
            end.post(add(end, 1, remote.address(), remote.rkey(), local, 0).unsignaled());
            end.post(end.request(2).write(remote.remote()).from(local, 8, 8).fenced());
            end.sent(2);
            assertEquals(1000L * round, word(local, 0), "the atomic came first");
            assertEquals(round, word(remote, 0), "the write came last");
        }
    }

    @Test
    @Rule({"ATM-1", "ORD-1"})
    void shouldShowItsEffectWhenALaterSendArrives() {
        QueuePairLink link = link(ATOMIC);
        MemoryRegion local = words(left());
        MemoryRegion remote = words(right());
        LinkEnd end = link.left();
        for (int i = 1; i <= 5; i++) {
            link.right().receiveEmpty(i);
            end.post(add(end, 1, remote.address(), remote.rkey(), local, 0).unsignaled());
            end.post(end.request(2).send().empty().fenced());
            end.sent(2);
            link.right().received(i);
            assertEquals(i, word(remote, 0));
        }
    }

    @Test
    @Rule("ATM-1")
    void shouldWrapAround() {
        QueuePairLink link = link(ATOMIC);
        MemoryRegion local = words(left());
        MemoryRegion remote = words(right());
        set(remote, 0, Long.MAX_VALUE);
        LinkEnd end = link.left();
        end.post(add(end, 1, remote.address(), remote.rkey(), local, 0));
        end.sent(1);
        assertEquals(Long.MAX_VALUE, word(local, 0));
        assertEquals(Long.MIN_VALUE, word(remote, 0));
    }
}
