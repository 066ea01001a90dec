package io.verbena.conformance.queue;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.LinkEnd;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.conformance.bench.Quirks.Deviation;
import io.verbena.conformance.bench.RefusedCall;
import io.verbena.conformance.bench.Violation;
import io.verbena.verbs.Errno;
import io.verbena.verbs.Keys;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.MemoryWindow;
import io.verbena.verbs.MemoryWindowBind;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.MemoryWindowType;
import io.verbena.verbs.attr.QueuePairState;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// Windows of both types, on the right side's memory; the left side uses them.
public abstract class MemoryWindowContract extends Contract {
    private static final int LENGTH = 4096;
    private static final Access[] BINDABLE = {Access.LOCAL_WRITE, Access.MEMORY_WINDOW_BIND};

    protected MemoryWindowContract() {}

    private MemoryWindow window(MemoryWindowType type) {
        return right().keep(right().pd().allocateMemoryWindow(type));
    }

    private MemoryRegion bindable() {
        return right().memory(LENGTH, BINDABLE);
    }

    /// Binds the bytes `from` to `from + length` of the region for remote writing, and waits until that is done.
    private static int bind(QueuePairLink link, MemoryWindow window, MemoryRegion region, long from, long length) {
        LinkEnd end = link.right();
        long address = region.address() + from;
        if (window.type() == MemoryWindowType.TYPE_1) {
            assertTrue(window.bind(end.qp(), 50, MemoryWindowBind.of(region, address, length, Access.REMOTE_WRITE)));
        } else {
            end.post(end.request(50)
                    .bindMemoryWindow(
                            window, Keys.increment(window.rkey()), region, address, length, Access.REMOTE_WRITE));
        }
        assertEquals(CompletionOpcode.BIND_MEMORY_WINDOW, end.sent(50).opcode());
        return window.rkey();
    }

    private void write(QueuePairLink link, long wrId, long address, int rkey, CompletionStatus status) {
        MemoryRegion source = left().memory(64);
        source.memory().fill((byte) 7);
        link.left().post(link.left().request(wrId).write(address, rkey).from(source, 0, 64));
        link.left().sent(wrId, status);
    }

    @Test
    @Rule({"MW-1", "CQ-5"})
    void shouldOpenAPartOfTheRegionThroughAType1Window() {
        QueuePairLink link = link();
        MemoryRegion region = bindable();
        MemoryWindow window = window(MemoryWindowType.TYPE_1);
        int before = window.rkey();
        int rkey = bind(link, window, region, 1024, 64);
        assertNotEquals(before, rkey, "binding changes the key");
        byte[] expected = new byte[64];
        Arrays.fill(expected, (byte) 7);
        write(link, 1, region.address() + 1024, rkey, CompletionStatus.SUCCESS);
        Bytes.assertOnlyChanged(new byte[LENGTH], region, 1024, expected);
    }

    @Test
    @Rule("MW-1")
    void shouldForgetTheOldKeyWhenBoundAgain() {
        QueuePairLink link = link();
        MemoryRegion region = bindable();
        MemoryWindow window = window(MemoryWindowType.TYPE_1);
        int first = bind(link, window, region, 0, 64);
        int second = bind(link, window, region, 64, 64);
        assertNotEquals(first, second);
        write(link, 1, region.address() + 64, second, CompletionStatus.SUCCESS);
        write(link, 2, region.address(), first, CompletionStatus.REMOTE_ACCESS_ERROR);
    }

    @Test
    @Rule("MW-8")
    void shouldCloseTheWindowWhenBoundToNothing() {
        QueuePairLink link = link();
        MemoryRegion region = bindable();
        MemoryWindow window = window(MemoryWindowType.TYPE_1);
        int rkey = bind(link, window, region, 0, 64);
        bind(link, window, region, 0, 0);
        write(link, 1, region.address(), rkey, CompletionStatus.REMOTE_ACCESS_ERROR);
        Bytes.assertUnchanged(new byte[LENGTH], region);
    }

    @Test
    @Rule("MW-1")
    void shouldRefuseToBindAType2WindowByCall() {
        QueuePairLink link = link();
        MemoryRegion region = bindable();
        MemoryWindow window = window(MemoryWindowType.TYPE_2);
        RefusedCall.with(
                Errno.EINVAL,
                "bind a type 2 window by call",
                () -> window.bind(
                        link.right().qp(), 1, MemoryWindowBind.of(region, region.address(), 64, Access.REMOTE_WRITE)));
        link.right().expectNoCompletion();
    }

    @Test
    @Rule("MW-1")
    void shouldRefuseToBindWhenDomainsDiffer() {
        QueuePairLink link = link();
        MemoryRegion region = bindable();
        MemoryWindow stranger = right().keep(right().otherPd().allocateMemoryWindow(MemoryWindowType.TYPE_1));
        RefusedCall.with(
                Errno.EPERM,
                "bind a window of another domain",
                () -> stranger.bind(
                        link.right().qp(), 1, MemoryWindowBind.of(region, region.address(), 64, Access.REMOTE_WRITE)));
    }

    @Test
    @Rule("MW-2")
    void shouldBindAType2WindowUnderTheKeyOfTheRequest() {
        QueuePairLink link = link();
        MemoryRegion region = bindable();
        MemoryWindow window = window(MemoryWindowType.TYPE_2);
        int wanted = Keys.increment(window.rkey());
        int rkey = bind(link, window, region, 0, 128);
        assertEquals(wanted, rkey);
        write(link, 1, region.address() + 64, rkey, CompletionStatus.SUCCESS);
    }

    @Test
    @Rule({"MW-1", "MW-2", "MR-4"})
    void shouldKeepPeersWithinTheWindow() {
        right().quirks().unlessKnown(Deviation.WINDOW_RANGE_NOT_CHECKED, () -> {
            for (MemoryWindowType type : MemoryWindowType.values()) {
                for (int from : new int[] {1023, 1025, 0, 4000}) {
                    QueuePairLink link = link();
                    MemoryRegion region = bindable();
                    int rkey = bind(link, window(type), region, 1024, 64);
                    write(link, 1, region.address() + from, rkey, CompletionStatus.REMOTE_ACCESS_ERROR);
                    Bytes.assertUnchanged(new byte[LENGTH], region);
                }
            }
        });
    }

    @Test
    @Rule("MW-2")
    void shouldOpenAType2WindowToItsOwnQueuePairOnly() {
        QueuePairLink link = link();
        QueuePairLink other = link();
        MemoryRegion region = bindable();
        int rkey = bind(link, window(MemoryWindowType.TYPE_2), region, 0, 128);
        write(other, 1, region.address(), rkey, CompletionStatus.REMOTE_ACCESS_ERROR);
        Bytes.assertUnchanged(new byte[LENGTH], region);
        write(link, 2, region.address(), rkey, CompletionStatus.SUCCESS);
    }

    @Test
    @Rule({"MW-2", "CQ-5"})
    void shouldRevokeAType2WindowByRequest() {
        QueuePairLink link = link();
        MemoryRegion region = bindable();
        int rkey = bind(link, window(MemoryWindowType.TYPE_2), region, 0, 128);
        LinkEnd end = link.right();
        end.post(end.request(3).localInvalidate(rkey));
        assertEquals(CompletionOpcode.LOCAL_INVALIDATE, end.sent(3).opcode());
        write(link, 1, region.address(), rkey, CompletionStatus.REMOTE_ACCESS_ERROR);
        Bytes.assertUnchanged(new byte[LENGTH], region);
    }

    @Test
    @Rule("MW-2")
    void shouldCloseAWindowThatIsBound() {
        for (MemoryWindowType type : MemoryWindowType.values()) {
            QueuePairLink link = link();
            MemoryRegion region = bindable();
            MemoryWindow window = window(type);
            int rkey = bind(link, window, region, 0, 128);
            window.close();
            window.close();
            write(link, 1, region.address(), rkey, CompletionStatus.REMOTE_ACCESS_ERROR);
            region.close();
        }
    }

    @Test
    @Rule("MR-11")
    void shouldNotCloseARegionWithAWindow() {
        QueuePairLink link = link();
        MemoryRegion region = bindable();
        MemoryWindow window = window(MemoryWindowType.TYPE_1);
        bind(link, window, region, 0, 64);
        assertThrows(RdmaException.class, region::close, "the region has a window");
        window.close();
        region.close();
    }

    private void expectBindError(MemoryRegion region, long from, long length) {
        QueuePairLink link = link();
        LinkEnd end = link.right();
        window(MemoryWindowType.TYPE_1)
                .bind(end.qp(), 4, MemoryWindowBind.of(region, region.address() + from, length, Access.REMOTE_WRITE));
        CompletionStatus status = end.sent().status();
        assertTrue(right().quirks().acceptsRequester(Violation.WINDOW_BINDING, status), () -> "ended with " + status);
        end.awaitState(QueuePairState.ERR);
    }

    @Test
    @Rule("MW-3")
    void shouldNotBindWhenTheRegionDoesNotAllowIt() {
        expectBindError(right().memory(LENGTH, Access.LOCAL_WRITE), 0, 64);
    }

    @Test
    @Rule("MW-3")
    void shouldNotBindForRemoteWritingWhenTheRegionCannotBeWritten() {
        expectBindError(right().memory(LENGTH, Access.MEMORY_WINDOW_BIND), 0, 64);
    }

    @Test
    @Rule("MW-3")
    void shouldNotBindBytesOutsideTheRegion() {
        expectBindError(bindable(), LENGTH - 63, 64);
    }

    @Test
    @Rule("MW-4")
    void shouldRevokeAfterEarlierRequests() {
        QueuePairLink link = link();
        int length = 64 << 10;
        MemoryRegion region = bindable();
        MemoryRegion local = right().memory(length);
        MemoryRegion remote = left().memory(length);
        byte[] pattern = Bytes.pattern(5, length);
        Bytes.put(remote, 0, pattern);
        int rkey = bind(link, window(MemoryWindowType.TYPE_2), region, 0, 64);
        LinkEnd end = link.right();
        end.post(end.request(1).read(remote.remote()).into(local, 0, length).unsignaled());
        end.post(end.request(2).localInvalidate(rkey));
        end.sent(2);
        Bytes.assertAt(local, 0, pattern);
    }

    @Test
    @Rule("INV-1")
    void shouldRevokeTheKeyBeforeTheReceiveReports() {
        QueuePairLink link = link();
        MemoryRegion region = bindable();
        int rkey = bind(link, window(MemoryWindowType.TYPE_2), region, 0, 128);
        write(link, 1, region.address(), rkey, CompletionStatus.SUCCESS);
        link.right().receiveEmpty(9);
        link.left().post(link.left().request(2).sendWithInvalidate(rkey).empty());
        link.left().sent(2);
        link.right().received(9);
        write(link, 3, region.address(), rkey, CompletionStatus.REMOTE_ACCESS_ERROR);
    }

    @Test
    @Rule({"INV-1", "CQ-7"})
    void shouldTellWhichKeyWasRevoked() {
        right().quirks().unlessKnown(Deviation.INVALIDATED_KEY_NOT_TOLD, () -> {
            QueuePairLink link = link();
            int rkey = bind(link, window(MemoryWindowType.TYPE_2), bindable(), 0, 128);
            link.right().receiveEmpty(9);
            link.left().post(link.left().request(2).sendWithInvalidate(rkey).empty());
            link.left().sent(2);
            WorkCompletion received = link.right().received(9);
            assertAll(
                    () -> assertEquals(CompletionOpcode.RECEIVE, received.opcode()),
                    () -> assertTrue(received.hasInvalidatedKey()),
                    () -> assertEquals(rkey, received.invalidatedKey()),
                    () -> assertTrue(!received.hasImmediate()));
        });
    }

    @Test
    @Rule("INV-2")
    void shouldFailTheReceiverWhenTheKeyCannotBeRevoked() {
        int[] keys = {right().memory(64).rkey(), 0x7777_7700};
        for (int key : keys) {
            QueuePairLink link = link();
            link.right().receiveEmpty(9);
            link.left().post(link.left().request(1).sendWithInvalidate(key).empty());
            assertNotEquals(CompletionStatus.SUCCESS, link.right().received().status());
            link.right().awaitState(QueuePairState.ERR);
        }
    }
}
