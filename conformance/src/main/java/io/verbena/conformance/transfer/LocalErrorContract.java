package io.verbena.conformance.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.conformance.bench.Quirks.Deviation;
import io.verbena.conformance.bench.TestDevice;
import io.verbena.conformance.bench.Violation;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Requests whose own buffers are wrong: of sends, of reads, and of the receives that sends meet.
public abstract class LocalErrorContract extends Contract {
    private static final int LENGTH = 4096;
    private static final int BYTES = 64;

    protected LocalErrorContract() {}

    /// A buffer as a request names it.
    private record Slice(long address, int lkey) {}

    /// A wrong way to name a buffer of that side's, given a good region.
    private record Wrong(String name, Violation violation, BiFunction<TestDevice, MemoryRegion, Slice> slice) {}

    private static List<Wrong> wrongBuffers(Violation key, Violation range) {
        return List.of(
                new Wrong("another variant of the key", key, (s, r) -> new Slice(r.address(), r.lkey() ^ 1)),
                new Wrong("a key nobody has", key, (s, r) -> new Slice(r.address(), r.lkey() ^ 0x7F_FF00)),
                new Wrong("a region of another domain", key, (s, r) -> {
                    MemoryRegion other = s.keep(s.otherPd().allocate(LENGTH, Access.LOCAL_WRITE));
                    return new Slice(other.address(), other.lkey());
                }),
                new Wrong("a closed region", key, (s, r) -> {
                    MemoryRegion gone = s.memory(LENGTH);
                    Slice slice = new Slice(gone.address(), gone.lkey());
                    gone.close();
                    return slice;
                }),
                new Wrong("beyond the end", range, (s, r) -> new Slice(r.address() + LENGTH - BYTES + 1, r.lkey())),
                new Wrong("before the start", range, (s, r) -> new Slice(r.address() - 1, r.lkey())),
                new Wrong("an address that wraps around", range, (s, r) -> new Slice(-BYTES / 2, r.lkey())));
    }

    private static Wrong notWritable(Violation violation) {
        return new Wrong("a region without LOCAL_WRITE", violation, (s, r) -> {
            MemoryRegion readOnly = s.memory(LENGTH, Access.REMOTE_READ);
            return new Slice(readOnly.address(), readOnly.lkey());
        });
    }

    @TestFactory
    @Rule({"MR-4", "MR-5", "TAB-4", "ERR-1", "ERR-3"})
    List<DynamicTest> shouldFailSendWhenItsBufferIsWrong() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Wrong wrong : wrongBuffers(Violation.SEND_BUFFER_KEY, Violation.SEND_BUFFER_RANGE)) {
            for (Transfer transfer : Transfer.values()) {
                if (!transfer.brings()) {
                    tests.add(dynamicTest(transfer + " from " + wrong.name, () -> expectLocalFailure(wrong, transfer)));
                }
            }
        }
        return tests;
    }

    @TestFactory
    @Rule({"MR-1", "MR-4", "MR-5", "TAB-5"})
    List<DynamicTest> shouldFailReadWhenItsBufferIsWrong() {
        List<Wrong> all = new ArrayList<>(wrongBuffers(Violation.READ_BUFFER, Violation.READ_BUFFER));
        all.add(notWritable(Violation.READ_BUFFER));
        return all.stream()
                .map(wrong -> dynamicTest("into " + wrong.name, () -> expectLocalFailure(wrong, Transfer.READ)))
                .toList();
    }

    /// The request fails, later ones are flushed, the peer does not notice.
    private void expectLocalFailure(Wrong wrong, Transfer transfer) {
        QueuePairLink link = link();
        MemoryRegion local = left().memory(LENGTH);
        MemoryRegion target = right().memory(LENGTH);
        Slice slice = wrong.slice.apply(left(), local);
        byte[] before = Bytes.all(target);
        byte[] localBefore = Bytes.all(local);
        target.memory().asSlice(LENGTH / 2).fill((byte) 9);
        System.arraycopy(Bytes.all(target), 0, before, 0, LENGTH);
        link.right().receive(1, target, 0, BYTES);
        link.left()
                .post(transfer.apply(link.left().request(11), target.address() + LENGTH / 2, target.rkey())
                        .fromAddress(slice.address, BYTES, slice.lkey));
        // A device may look at the buffer of a READ only when its bytes arrive; without a fence the SEND could be
        // first.
        link.left().post(link.left().request(12).send().fenced().empty());
        var completion = link.left().sent();
        assertEquals(11, completion.wrId());
        assertTrue(
                left().quirks().acceptsRequester(wrong.violation, completion.status()),
                () -> transfer + " with " + wrong.name + " ended with "
                        + completion.status().explain());
        link.left().sent(12, CompletionStatus.WORK_REQUEST_FLUSHED);
        link.left().awaitState(QueuePairState.ERR);
        assertEquals(QueuePairState.RTS, link.right().state(), "the peer does not notice");
        link.right().expectNoCompletion();
        Bytes.assertUnchanged(before, target);
        Bytes.assertUnchanged(localBefore, local);
    }

    @TestFactory
    @Rule({"MR-1", "MR-4", "MR-5", "TAB-6", "ERR-1", "ERR-3"})
    List<DynamicTest> shouldFailBothSidesWhenReceiveBufferIsWrong() {
        List<Wrong> all = new ArrayList<>(wrongBuffers(Violation.RECEIVE_BUFFER, Violation.RECEIVE_BUFFER));
        all.add(notWritable(Violation.RECEIVE_BUFFER));
        List<DynamicTest> tests = new ArrayList<>();
        for (Wrong wrong : all) {
            for (Transfer transfer : List.of(Transfer.SEND, Transfer.SEND_WITH_IMMEDIATE)) {
                tests.add(dynamicTest(transfer + " into " + wrong.name, () -> {
                    QueuePairLink link = link();
                    MemoryRegion target = right().memory(LENGTH);
                    Slice slice = wrong.slice.apply(right(), target);
                    byte[] before = Bytes.all(target);
                    var receive = link.right().qp().newReceiveRequest().wrId(1);
                    assertTrue(link.right().qp().post(receive.intoAddress(slice.address, BYTES, slice.lkey)));
                    expectReceiveFailure(wrong.violation, link, transfer, BYTES);
                    Bytes.assertUnchanged(before, target);
                }));
            }
        }
        return tests;
    }

    @TestFactory
    @Rule({"TAB-7", "ERR-1", "ERR-3"})
    List<DynamicTest> shouldFailBothSidesWhenReceiveIsTooSmall() {
        List<DynamicTest> tests = new ArrayList<>();
        for (int room : new int[] {0, 1, 63, 1023, 1024, 1025, 3000}) {
            for (Transfer transfer : List.of(Transfer.SEND, Transfer.SEND_WITH_IMMEDIATE)) {
                tests.add(dynamicTest(transfer + " of " + (room + 1) + " bytes into " + room, () -> {
                    QueuePairLink link = link();
                    MemoryRegion target = right().memory(LENGTH);
                    target.memory().fill((byte) 0x33);
                    byte[] before = Bytes.all(target);
                    link.right().receive(1, target, 100, room);
                    expectReceiveFailure(Violation.RECEIVE_TOO_SMALL, link, transfer, room + 1);
                    // Packets that fitted may have been placed; nothing outside the buffer.
                    byte[] after = Bytes.all(target);
                    System.arraycopy(before, 100, after, 100, room);
                    assertEquals(-1, Arrays.mismatch(before, after), "first byte changed outside the buffer");
                }));
            }
        }
        return tests;
    }

    /// Receive 1 is posted and wrong: it fails, later ones are flushed, and both queue pairs are in ERR.
    private void expectReceiveFailure(Violation violation, QueuePairLink link, Transfer transfer, int length) {
        link.right().receiveEmpty(2);
        link.left().post(transfer.apply(link.left().request(11), 0, 0).from(left().memory(LENGTH), 0, length));
        link.left().post(link.left().request(12).send().empty());
        CompletionStatus sender = link.left().sent().status();
        assertTrue( // it hears what the responder makes of it
                right().quirks().acceptsRequester(violation, sender),
                () -> "requester: " + sender.explain() + "; expected " + violation.requester());
        link.left().sent(12, CompletionStatus.WORK_REQUEST_FLUSHED);
        var receiver = link.right().received();
        assertEquals(1, receiver.wrId());
        assertTrue(
                right().quirks().acceptsResponder(violation, receiver.status()),
                () -> "responder: " + receiver.status().explain() + "; expected " + violation.responder());
        link.right().received(2, CompletionStatus.WORK_REQUEST_FLUSHED);
        link.left().awaitState(QueuePairState.ERR);
        link.right().awaitState(QueuePairState.ERR);
        link.left().expectNoCompletion();
        link.right().expectNoCompletion();
    }

    @Test
    @Rule({"ERR-1", "ERR-3"})
    void shouldFlushBothQueuesInOrderWhenMovedToError() {
        QueuePairLink link = link(LinkOptions.DEFAULT.rnr(14, 7));
        for (int i = 0; i < 20; i++) {
            link.left().receiveEmpty(100 + i);
            link.left().post(link.left().request(i).send().empty().signaled(i % 3 == 0)); // no receive: they wait
        }
        link.left().to(QueuePairState.ERR);
        for (int i = 0; i < 20; i++) {
            link.left().sent(i, CompletionStatus.WORK_REQUEST_FLUSHED);
            link.left().received(100 + i, CompletionStatus.WORK_REQUEST_FLUSHED);
        }
        for (int i = 20; i < 30; i++) {
            link.left().post(link.left().request(i).send().empty().unsignaled());
            link.left().sent(i, CompletionStatus.WORK_REQUEST_FLUSHED);
        }
        link.left().expectNoCompletion();
        left().quirks().skipWhen(Deviation.RECEIVE_IN_ERROR_NOT_FLUSHED);
        for (int i = 20; i < 30; i++) {
            link.left().receiveEmpty(100 + i);
            link.left().received(100 + i, CompletionStatus.WORK_REQUEST_FLUSHED);
        }
        link.left().expectNoCompletion();
    }

    @Test
    @Rule("ERR-3")
    void shouldCompleteEachRequestOnceWhenOneInTheMiddleFails() {
        QueuePairLink link = link();
        MemoryRegion source = left().memory(5000);
        MemoryRegion target = right().memory(5000);
        var random = random();
        int bad = 5 + random.nextInt(20);
        for (int i = 0; i < 40; i++) {
            int rkey = i == bad ? target.rkey() ^ 0x100 : target.rkey();
            link.left()
                    .post(link.left()
                            .request(i)
                            .write(target.address(), rkey)
                            .from(source, 0, 1 + random.nextInt(5000)));
        }
        for (int i = 0; i < 40; i++) {
            CompletionStatus expected = i < bad
                    ? CompletionStatus.SUCCESS
                    : i == bad ? CompletionStatus.REMOTE_ACCESS_ERROR : CompletionStatus.WORK_REQUEST_FLUSHED;
            link.left().sent(i, expected);
        }
        link.left().expectNoCompletion();
    }
}
