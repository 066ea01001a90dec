package io.verbena.conformance.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.Deadline;
import io.verbena.conformance.bench.LinkEnd;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.conformance.bench.RefusedCall;
import io.verbena.verbs.Context;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.SharedReceiveQueue;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.DeviceAttributes;
import io.verbena.verbs.attr.MemoryWindowType;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.SharedReceiveQueueOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// The limits of a device: it has as many as it says, and one more is refused. Large limits are not tried.
public abstract class LimitsContract extends Contract {
    /// Queues of more requests, and more objects, are not tried: some devices take their memory at once.
    private static final int AFFORDABLE = 1 << 16;
    /// Windows cost little.
    private static final int AFFORDABLE_WINDOWS = 1 << 18;

    protected LimitsContract() {}

    private DeviceAttributes device() {
        return left().context().attributes();
    }

    @Test
    @Rule("DEV-4")
    void shouldGatherAndScatterOverAsManyBuffersAsStated() {
        int out = device().maxScatterGather();
        int in = right().context().attributes().maxScatterGather();
        LinkOptions options = LinkOptions.DEFAULT;
        LinkEnd left = LinkEnd.withChannels(left(), options.capabilities(4, 4, out, 0), 1, null, null);
        LinkEnd right = LinkEnd.withChannels(right(), options.capabilities(4, 4, in, 0), 2, null, null);
        new QueuePairLink(left, right, options).connect();
        int length = 40;
        MemoryRegion source = left().memory((long) out * length);
        MemoryRegion target = right().memory((long) out * length);
        byte[] pattern = Bytes.pattern(out, out * length);
        Bytes.put(source, 0, pattern);
        SendRequest send = left.request(1).send().from(source, 0, length);
        for (int i = 1; i < out; i++) {
            send.and(source, (long) i * length, length);
        }
        int part = (out * length + in - 1) / in;
        ReceiveRequest receive = right.qp().newReceiveRequest().wrId(2).into(target, 0, part);
        for (int i = 1; i < in; i++) {
            long from = Math.min((long) i * part, (long) out * length);
            receive.and(target, from, Math.min(part, (long) out * length - from));
        }
        assertTrue(right.qp().post(receive));
        left.post(send);
        left.sent(1);
        assertEquals(out * length, right.received(2).byteLength());
        Bytes.assertAt(target, 0, pattern);
    }

    @Test
    @Rule("DEV-4")
    void shouldCarryAsManyInlineBytesAsStated() {
        int bytes = device().maxInlineBytes();
        QueuePairLink link = link(LinkOptions.DEFAULT.capabilities(4, 4, 1, bytes));
        MemoryRegion source = left().memory(bytes);
        MemoryRegion target = right().memory(bytes);
        byte[] pattern = Bytes.pattern(bytes, bytes);
        Bytes.put(source, 0, pattern);
        link.left()
                .post(link.left()
                        .request(1)
                        .write(target.remote())
                        .from(source, 0, bytes)
                        .inline());
        source.memory().fill((byte) 0);
        link.left().sent(1);
        Bytes.assertAt(target, 0, pattern);
    }

    @Test
    @Rule("DEV-4")
    void shouldHaveQueuesAsDeepAsStated() {
        int most = device().maxWorkRequests();
        assumeTrue(most <= Deadline.rounds(AFFORDABLE), "too many requests to try: " + most);
        QueuePair qp = left().queuePair(QueuePairOptions.rc(left().completionQueue(8))
                .sendRequests(most)
                .receiveRequests(most));
        qp.modify(QueuePairChange.toInit());
        ReceiveRequest receive = qp.newReceiveRequest().empty();
        int room = qp.capabilities().maxReceiveRequests();
        for (int i = 0; i < room; i++) {
            assertTrue(qp.post(receive), "receive " + i + " of " + room);
        }
        assertFalse(qp.post(receive), "one more than " + room);
    }

    @Test
    @Rule("DEV-4")
    void shouldHaveSharedReceiveQueuesAsStated() {
        int most = device().maxSharedReceiveRequests();
        int buffers = device().maxSharedReceiveScatterGather();
        SharedReceiveQueue queue = left().keep(left().pd()
                .createSharedReceiveQueue(new SharedReceiveQueueOptions(Math.min(most, AFFORDABLE), buffers, 0)));
        MemoryRegion region = left().memory(64L * buffers);
        ReceiveRequest receive = queue.newReceiveRequest().into(region, 0, 64);
        for (int i = 1; i < buffers; i++) {
            receive.and(region, 64L * i, 64);
        }
        int room = queue.query().maxRequests();
        for (int i = 0; i < Math.min(room, 100); i++) {
            assertTrue(queue.post(receive), "receive " + i + " of " + room);
        }
        assertThrows(RdmaException.class, () -> {
            receive.and(region, 0, 64);
            queue.post(receive);
        });
        RefusedCall.with(
                Errno.EINVAL,
                "too many buffers",
                () -> left().pd().createSharedReceiveQueue(new SharedReceiveQueueOptions(8, buffers + 1, 0)));
        RefusedCall.with(
                Errno.EINVAL,
                "too many receives",
                () -> left().pd().createSharedReceiveQueue(new SharedReceiveQueueOptions(most + 1, 1, 0)));
    }

    @Test
    @Rule({"DEV-4", "ORD-4"})
    void shouldHaveAsManyReadsInFlightAsStated() {
        int out = device().maxReadAtomicAsInitiator();
        int in = right().context().attributes().maxReadAtomicAsResponder();
        int reads = Math.min(out, in);
        QueuePairLink link = link(LinkOptions.DEFAULT
                .reads(reads, in)
                .capabilities(2 * reads, 4, 1, 0)
                .completionEntries(2 * reads));
        MemoryRegion local = left().memory(16L * reads);
        MemoryRegion remote = right().memory(16L * reads);
        byte[] pattern = Bytes.pattern(reads, 16 * reads);
        Bytes.put(remote, 0, pattern);
        for (int i = 0; i < 2 * reads; i++) {
            link.left()
                    .post(link.left()
                            .request(i)
                            .read(remote.address() + 8L * i, remote.rkey())
                            .into(local, 8L * i, 8));
        }
        for (int i = 0; i < 2 * reads; i++) {
            link.left().sent(i);
        }
        Bytes.assertAt(local, 0, pattern);
    }

    @Test
    @Rule("DEV-4")
    void shouldCarryAMessageAsLongAsStated() {
        long most = Math.min(
                left().context().port(1).maxMessageBytes(),
                right().context().port(1).maxMessageBytes());
        assumeTrue(most <= 16 << 20, "too long to try: " + most + " bytes");
        int length = Math.toIntExact(most);
        QueuePairLink link = link();
        MemoryRegion source = left().memory(length);
        MemoryRegion target = right().memory(length);
        byte[] pattern = Bytes.pattern(length, length);
        Bytes.put(source, 0, pattern);
        link.left().post(link.left().request(1).write(target.remote()).from(source, 0, length));
        link.left().sent(1);
        Bytes.assertAt(target, 0, pattern);
    }

    /// Makes as many as stated; one more is refused; when one is closed, there is room for one.
    private void expectRoomFor(String what, int most, Supplier<AutoCloseable> maker) {
        expectRoomFor(what, most, AFFORDABLE, maker);
    }

    private void expectRoomFor(String what, int most, int affordable, Supplier<AutoCloseable> maker) {
        assumeTrue(most <= Deadline.rounds(affordable), () -> "too many to try: " + most + " " + what);
        List<AutoCloseable> made = new ArrayList<>();
        try {
            RdmaException refused = null;
            while (refused == null) {
                try {
                    made.add(maker.get());
                } catch (RdmaException e) {
                    refused = e;
                }
                assertTrue(made.size() <= most, () -> "more " + what + " than the " + most + " stated");
            }
            assertEquals(Errno.ENOMEM, refused.errno(), refused::getMessage);
            // The device pair itself has one or two of a kind.
            assertTrue(made.size() >= most - 4, () -> made.size() + " " + what + " instead of " + most);
            made.removeLast().close();
            made.add(maker.get());
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        } finally {
            made.reversed().forEach(LimitsContract::close);
        }
    }

    private static void close(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            throw new AssertionError("close " + resource, e);
        }
    }

    @Test
    @Rule("DEV-4")
    void shouldHaveAsManyProtectionDomainsAsStated() {
        expectRoomFor(
                "protection domains", device().maxProtectionDomains(), left().context()::allocateProtectionDomain);
    }

    @Test
    @Rule("DEV-4")
    void shouldHaveAsManyCompletionQueuesAsStated() {
        expectRoomFor(
                "completion queues",
                device().maxCompletionQueues(),
                () -> left().context().createCompletionQueue(1));
    }

    @Test
    @Rule("DEV-4")
    void shouldHaveAsManyMemoryWindowsAsStated() {
        expectRoomFor(
                "memory windows",
                device().maxMemoryWindows(),
                AFFORDABLE_WINDOWS,
                () -> left().pd().allocateMemoryWindow(MemoryWindowType.TYPE_2));
    }

    @Test
    @Rule("DEV-4")
    void shouldHaveAsManyAddressHandlesAsStated() {
        AddressVector path = left().pathTo(right());
        expectRoomFor(
                "address handles",
                device().maxAddressHandles(),
                () -> left().pd().createAddressHandle(path));
    }

    @Test
    @Rule("DEV-4")
    void shouldHaveAsManySharedReceiveQueuesAsStated() {
        expectRoomFor(
                "shared receive queues",
                device().maxSharedReceiveQueues(),
                () -> left().pd().createSharedReceiveQueue(SharedReceiveQueueOptions.of(1)));
    }

    @Test
    @Rule("DEV-3")
    void shouldFindPartitionKeysByValue() {
        Context context = left().context();
        assertEquals(0, context.partitionKeyIndex(1, 0xFFFF));
        RefusedCall.with(Errno.ENOENT, "a partition key nobody gave", () -> context.partitionKeyIndex(1, 0x1234));
        int keys = context.port(1).pkeyTableLength();
        QueuePair qp = left().queuePair(QueuePairOptions.rc(left().completionQueue(8)));
        RefusedCall.with(
                Errno.EINVAL,
                "partition key " + keys,
                () -> qp.modify(QueuePairChange.toInit().pkeyIndex(keys)));
        assertEquals(QueuePairState.RESET, qp.state());
    }

    @Test
    @Rule("DEV-3")
    void shouldRefuseRowsBeyondTheGidTable() {
        Context context = left().context();
        int rows = context.port(1).gidTableLength();
        assertThrows(RdmaException.class, () -> context.gid(1, rows));
        assertThrows(RdmaException.class, () -> context.gid(1, -1));
        AddressVector path = left().pathTo(right());
        AddressVector beyond = new AddressVector(path.destination(), rows, 1, 0, path.hopLimit(), 0);
        QueuePairLink link = devices().unconnected(LinkOptions.DEFAULT);
        link.left().toInit();
        RefusedCall.with(
                Errno.EINVAL,
                "GID row " + rows,
                () -> link.left()
                        .qp()
                        .modify(QueuePairChange.toRtr(beyond, link.right().qp().number(), 1)));
        RefusedCall.with(Errno.EINVAL, "GID row " + rows, () -> left().pd().createAddressHandle(beyond));
    }
}
