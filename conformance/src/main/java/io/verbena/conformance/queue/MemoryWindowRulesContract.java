package io.verbena.conformance.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.LinkEnd;
import io.verbena.conformance.bench.LinkOptions;
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
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.MemoryWindowType;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;
import org.junit.jupiter.api.Test;

/// The rules of binding windows, of their rights, and of revoking them. The right side has the windows.
public abstract class MemoryWindowRulesContract extends Contract {
    private static final int LENGTH = 4096;

    protected MemoryWindowRulesContract() {}

    private MemoryWindow window(MemoryWindowType type) {
        return right().keep(right().pd().allocateMemoryWindow(type));
    }

    private MemoryRegion bindable() {
        return right().memory(LENGTH, Access.LOCAL_WRITE, Access.MEMORY_WINDOW_BIND);
    }

    /// Posts a binding by request; the window must be of type 2.
    private static void post(
            QueuePairLink link, MemoryWindow window, MemoryRegion region, long length, Access... access) {
        LinkEnd end = link.right();
        end.post(end.request(50)
                .bindMemoryWindow(window, Keys.increment(window.rkey()), region, region.address(), length, access));
    }

    private static int bind(QueuePairLink link, MemoryWindow window, MemoryRegion region, Access... access) {
        post(link, window, region, 128, access);
        link.right().sent(50);
        return window.rkey();
    }

    private static void call(QueuePairLink link, MemoryWindow window, MemoryRegion region, Access... access) {
        assertTrue(window.bind(link.right().qp(), 50, MemoryWindowBind.of(region, region.address(), 128, access)));
    }

    /// The binding is refused at once, or fails and takes the queue pair with it.
    private void expectBindError(QueuePairLink link, Runnable binding) {
        try {
            binding.run();
        } catch (RdmaException refused) {
            assertEquals(Errno.EINVAL, refused.errno(), refused::getMessage);
            return;
        }
        CompletionStatus status = link.right().sent().status();
        assertTrue(right().quirks().acceptsRequester(Violation.WINDOW_BINDING, status), () -> "ended with " + status);
        link.right().awaitState(QueuePairState.ERR);
    }

    private void write(QueuePairLink link, long wrId, MemoryRegion region, int rkey, CompletionStatus status) {
        MemoryRegion source = left().memory(64);
        source.memory().fill((byte) 7);
        link.left().post(link.left().request(wrId).write(region.address(), rkey).from(source, 0, 64));
        link.left().sent(wrId, status);
    }

    private void read(QueuePairLink link, long wrId, MemoryRegion region, int rkey, CompletionStatus status) {
        link.left().post(link.left().request(wrId).read(region.address(), rkey).into(left().memory(64), 0, 64));
        link.left().sent(wrId, status);
    }

    @Test
    @Rule("MW-2")
    void shouldNotBindAType2WindowThatIsBound() {
        QueuePairLink link = link();
        MemoryRegion region = bindable();
        MemoryWindow window = window(MemoryWindowType.TYPE_2);
        bind(link, window, region, Access.REMOTE_WRITE);
        expectBindError(link, () -> post(link, window, region, 64, Access.REMOTE_WRITE));
    }

    @Test
    @Rule("MW-2")
    void shouldBindAType2WindowAgainOnceItIsRevoked() {
        QueuePairLink link = link();
        MemoryRegion first = bindable();
        MemoryRegion second = bindable();
        MemoryWindow window = window(MemoryWindowType.TYPE_2);
        int before = bind(link, window, first, Access.REMOTE_WRITE);
        link.right().post(link.right().request(1).localInvalidate(before));
        link.right().sent(1);
        int now = bind(link, window, second, Access.REMOTE_WRITE);
        write(link, 2, second, now, CompletionStatus.SUCCESS);
        write(link, 3, first, before, CompletionStatus.REMOTE_ACCESS_ERROR);
        Bytes.assertUnchanged(new byte[LENGTH], first);
    }

    @Test
    @Rule("MW-2")
    void shouldNotBindAType2WindowToNothing() {
        QueuePairLink link = link();
        MemoryWindow window = window(MemoryWindowType.TYPE_2);
        MemoryRegion region = bindable();
        expectBindError(link, () -> post(link, window, region, 0, Access.REMOTE_WRITE));
    }

    @Test
    @Rule({"MW-2", "MR-5"})
    void shouldNotBindAType2WindowOfAnotherDomain() {
        QueuePairLink link = link();
        MemoryWindow stranger = right().keep(right().otherPd().allocateMemoryWindow(MemoryWindowType.TYPE_2));
        MemoryRegion region = bindable();
        expectBindError(link, () -> post(link, stranger, region, 64, Access.REMOTE_WRITE));
    }

    @Test
    @Rule({"MW-3", "MR-5"})
    void shouldNotBindToARegionOfAnotherDomain() {
        QueuePairLink link = link();
        MemoryWindow window = window(MemoryWindowType.TYPE_2);
        MemoryRegion stranger =
                right().keep(right().otherPd().allocate(LENGTH, Access.LOCAL_WRITE, Access.MEMORY_WINDOW_BIND));
        expectBindError(link, () -> post(link, window, stranger, 64, Access.REMOTE_WRITE));
    }

    @Test
    @Rule("MW-3")
    void shouldNotBindForAtomicsWhenTheRegionCannotBeWritten() {
        QueuePairLink link = link();
        MemoryWindow window = window(MemoryWindowType.TYPE_2);
        MemoryRegion region = right().memory(LENGTH, Access.MEMORY_WINDOW_BIND);
        expectBindError(link, () -> post(link, window, region, 64, Access.REMOTE_ATOMIC));
    }

    @Test
    @Rule("MW-5")
    void shouldNotBindAType1WindowFromZero() {
        QueuePairLink link = link();
        MemoryWindow window = window(MemoryWindowType.TYPE_1);
        MemoryRegion region = bindable();
        expectBindError(link, () -> call(link, window, region, Access.REMOTE_WRITE, Access.ZERO_BASED));
    }

    @Test
    @Rule("MW-5")
    void shouldNotBindAType1WindowToARegionThatCountsFromZero() {
        QueuePairLink link = link();
        MemoryWindow window = window(MemoryWindowType.TYPE_1);
        MemoryRegion region = right().memory(LENGTH, Access.LOCAL_WRITE, Access.MEMORY_WINDOW_BIND, Access.ZERO_BASED);
        expectBindError(link, () -> call(link, window, region, Access.REMOTE_WRITE));
    }

    @Test
    @Rule({"MW-2", "MR-3"})
    void shouldGrantTheRightsOfTheBindingOnly() {
        MemoryRegion region = right().memory(
                        LENGTH, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.MEMORY_WINDOW_BIND);
        QueuePairLink link = link();
        int readable = bind(link, window(MemoryWindowType.TYPE_2), region, Access.REMOTE_READ);
        read(link, 1, region, readable, CompletionStatus.SUCCESS);
        write(link, 2, region, readable, CompletionStatus.REMOTE_ACCESS_ERROR);
        QueuePairLink second = link();
        int writable = bind(second, window(MemoryWindowType.TYPE_2), region, Access.REMOTE_WRITE);
        write(second, 3, region, writable, CompletionStatus.SUCCESS);
        read(second, 4, region, writable, CompletionStatus.REMOTE_ACCESS_ERROR);
    }

    @Test
    @Rule({"MW-2", "UC-1"})
    void shouldServeUnreliableConnections() {
        QueuePairLink link = link(LinkOptions.DEFAULT.type(QueuePairType.UC));
        MemoryRegion region = bindable();
        int rkey = bind(link, window(MemoryWindowType.TYPE_2), region, Access.REMOTE_WRITE);
        MemoryRegion source = left().memory(64);
        source.memory().fill((byte) 7);
        link.right().receiveEmpty(9);
        link.left()
                .post(link.left()
                        .request(1)
                        .writeWithImmediate(region.address(), rkey, 5)
                        .from(source, 0, 64));
        link.left().sent(1);
        assertEquals(5, link.right().received(9).immediate());
        Bytes.assertAt(region, 0, Bytes.all(source));
        link.right().post(link.right().request(2).localInvalidate(rkey));
        CompletionStatus status = link.right().sent().status();
        assertTrue(
                right().quirks().has(Deviation.REVOKES_ON_RELIABLE_ONLY)
                        ? right().quirks().acceptsRequester(Violation.LOCAL_INVALIDATION, status)
                        : status == CompletionStatus.SUCCESS,
                () -> "revoking ended with " + status);
    }

    @Test
    @Rule("MW-6")
    void shouldFailToRevokeWhatIsNoWindowOfType2() {
        MemoryRegion region = right().memory(LENGTH);
        MemoryWindow unbound = window(MemoryWindowType.TYPE_1);
        for (int key : new int[] {region.rkey() ^ 0x7F_FF00, unbound.rkey(), region.rkey() ^ 1}) {
            QueuePairLink link = link();
            LinkEnd end = link.right();
            end.post(end.request(1).localInvalidate(key));
            end.post(end.request(2).send().empty());
            CompletionStatus status = end.sent().status();
            assertTrue(
                    right().quirks().acceptsRequester(Violation.LOCAL_INVALIDATION, status),
                    () -> "revoking 0x%x ended with %s".formatted(key, status));
            end.sent(2, CompletionStatus.WORK_REQUEST_FLUSHED);
            end.awaitState(QueuePairState.ERR);
        }
    }

    @Test
    @Rule("INV-2")
    void shouldFailTheReceiverAndTellTheSenderNothing() {
        int[] keys = {right().memory(64).rkey(), window(MemoryWindowType.TYPE_1).rkey(), 0x7777_7700};
        for (int key : keys) {
            QueuePairLink link = link(LinkOptions.DEFAULT.retries(8, 1));
            link.right().receiveEmpty(9);
            link.right().receiveEmpty(10);
            link.left().post(link.left().request(1).sendWithInvalidate(key).empty());
            link.right().received(9, CompletionStatus.REMOTE_INVALID_REQUEST);
            link.right().received(10, CompletionStatus.WORK_REQUEST_FLUSHED);
            link.right().awaitState(QueuePairState.ERR);
            CompletionStatus sender = link.left().sent().status();
            assertTrue(
                    sender == CompletionStatus.RETRY_EXCEEDED
                            || right().quirks().has(Deviation.WRONG_REVOCATION_ACKNOWLEDGED)
                                    && sender == CompletionStatus.SUCCESS,
                    () -> "the sender heard " + sender);
        }
    }

    @Test
    @Rule("MR-7")
    void shouldKeepItsDomainOpen() {
        var pd = right().otherPd();
        MemoryWindow window = pd.allocateMemoryWindow(MemoryWindowType.TYPE_2);
        RefusedCall.with(Errno.EBUSY, "close a domain with a window", pd::close);
        window.close();
        pd.close();
    }

    @Test
    @Rule({"MW-2", "POST-3"})
    void shouldRefuseAKeyOfAnotherWindow() {
        QueuePairLink link = link();
        MemoryWindow window = window(MemoryWindowType.TYPE_2);
        MemoryRegion region = bindable();
        LinkEnd end = link.right();
        expectBindError(
                link,
                () -> end.post(end.request(50)
                        .bindMemoryWindow(
                                window, window.rkey() ^ 0x7F_FF00, region, region.address(), 64, Access.REMOTE_WRITE)));
    }
}
