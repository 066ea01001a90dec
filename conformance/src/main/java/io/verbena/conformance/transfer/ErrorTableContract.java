package io.verbena.conformance.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.Deadline;
import io.verbena.conformance.bench.LinkEnd;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.conformance.transfer.ErrorRow.Ending;
import io.verbena.verbs.BadRequestException;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.AtomicCapability;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// The table of errors, row by row: the status on both sides, the state both queue pairs end in, and that no byte
/// changes that must not.
public abstract class ErrorTableContract extends Contract {
    protected ErrorTableContract() {}

    @TestFactory
    @Rule({
        "TAB-1", "TAB-2", "TAB-3", "TAB-4", "TAB-5", "TAB-6", "TAB-7", "TAB-10", "TAB-11", "TAB-12", "TAB-13", "TAB-14",
        "TAB-15", "TAB-17", "ERR-1", "ERR-3"
    })
    List<DynamicTest> shouldEndAsTheTableSays() {
        return ErrorRows.all().stream()
                .map(row -> dynamicTest(row.toString(), () -> expect(row)))
                .toList();
    }

    private void expect(ErrorRow row) {
        if (row.name().contains("ADD")
                || row.name().contains("SWAP")
                || row.name().contains("atomic")) {
            assumeTrue(
                    right().context().attributes().atomics() != AtomicCapability.NONE,
                    "the peer's device has no atomics");
        }
        QueuePairLink link = link(row.options());
        MemoryRegion near = left().memory(ErrorRows.LENGTH, ErrorRows.RIGHTS);
        MemoryRegion far = right().memory(ErrorRows.LENGTH, ErrorRows.RIGHTS);
        byte[] nearBytes = Bytes.pattern(1, ErrorRows.LENGTH);
        byte[] farBytes = Bytes.pattern(2, ErrorRows.LENGTH);
        Bytes.put(near, 0, nearBytes);
        Bytes.put(far, 0, farBytes);
        LinkEnd left = link.left();
        SendRequest request = row.attempt().make(link, left.request(11), near, far);
        if (!postOrRefused(row, left, request)) {
            left.expectNoCompletion();
            assertEquals(QueuePairState.RTS, left.state());
            assertEquals(QueuePairState.RTS, link.right().state());
        } else {
            expectEnding(row, link);
        }
        Bytes.assertUnchanged(nearBytes, near);
        if (!row.rule().equals("TAB-5")) { // an atomic may be done before its old value finds no place
            Bytes.assertUnchanged(farBytes, far);
        }
    }

    private static boolean postOrRefused(ErrorRow row, LinkEnd left, SendRequest request) {
        try {
            left.post(request);
        } catch (BadRequestException refused) {
            assertTrue(row.ending() == Ending.REFUSED || row.ending() == Ending.REFUSED_OR_REMOTE, refused::getMessage);
            assertEquals(Errno.EINVAL, refused.errno());
            return false;
        }
        assertTrue(row.ending() != Ending.REFUSED, "was to be refused");
        return true;
    }

    private void expectEnding(ErrorRow row, QueuePairLink link) {
        LinkEnd left = link.left();
        CompletionStatus status = left.sent().status();
        if (row.ending() == Ending.SILENT) {
            assertEquals(CompletionStatus.SUCCESS, status);
            assertEquals(QueuePairState.RTS, left.state());
            expectDropped(link);
            return;
        }
        boolean atResponder = row.ending() != Ending.LOCAL && row.ending() != Ending.GIVEN_UP;
        assertTrue(
                (atResponder ? right() : left()).quirks().acceptsRequester(row.violation(), status),
                () -> "ended with " + status.explain() + "; expected "
                        + row.violation().requester());
        left.awaitState(QueuePairState.ERR);
        left.post(left.request(12).send().empty().unsignaled());
        left.sent(12, CompletionStatus.WORK_REQUEST_FLUSHED);
        if (atResponder) {
            if (row.violation().responder() != null) {
                CompletionStatus receive = link.right().received().status();
                assertTrue(
                        right().quirks().acceptsResponder(row.violation(), receive),
                        () -> "the receive ended with " + receive.explain());
            }
            link.right().awaitState(QueuePairState.ERR);
        } else if (link.right().state() != QueuePairState.RESET) {
            assertEquals(QueuePairState.RTS, link.right().state(), "the peer does not notice");
        }
        left.expectNoCompletion();
        link.right().expectNoCompletion();
    }

    /// What was sent before is dropped, and what is sent from now on arrives.
    private void expectDropped(QueuePairLink link) {
        LinkEnd left = link.left();
        LinkEnd right = link.right();
        // A SEND is complete here before it is there, and would take a receive that is posted meanwhile. A WRITE behind
        // it shows when it has been dealt with.
        MemoryRegion flag = right().memory(1);
        MemoryRegion one = left().memory(1);
        one.memory().set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
        left.post(left.request(13).write(flag.remote()).from(one, 0, 1));
        left.sent(13);
        Deadline.await("the write behind it arrives", () -> flag.memory().get(ValueLayout.JAVA_BYTE, 0) == 1);
        right.receiveEmpty(5);
        left.post(left.request(12).send().empty());
        left.sent(12);
        right.received(5);
        assertEquals(QueuePairState.RTS, right.state());
    }
}
