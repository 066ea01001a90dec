package io.verbena.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.fabric.SimulatedFabric;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.Errno;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.DeviceAttributes;
import io.verbena.verbs.attr.GidType;
import io.verbena.verbs.attr.QueuePairCapabilities;
import io.verbena.verbs.attr.SharedReceiveQueueOptions;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The device has as many objects as its limits say; one more is refused.
class LimitsTest {
    private final SimulatedFabric fabric = new SimulatedFabric(1);
    private final Context context = fabric.host("10.0.0.1").device().open();
    private final Context second = fabric.host("10.0.0.1").device().open();
    private final DeviceAttributes device = context.attributes();

    @AfterEach
    void close() {
        context.closeAll();
        second.closeAll();
    }

    private static RdmaException assertRefused(Errno errno, Runnable call) {
        RdmaException refused = assertThrows(RdmaException.class, call::run);
        assertEquals(errno, refused.errno(), refused::getMessage);
        return refused;
    }

    /// Makes all there may be, in two contexts of the device, and then one more in each.
    private static void exhaust(int limit, String things, IntFunction<AutoCloseable> maker) throws Exception {
        AutoCloseable one = maker.apply(0);
        for (int i = 1; i < limit; i++) {
            maker.apply(i);
        }
        for (int i = 0; i < 2; i++) {
            int context = i;
            RdmaException refused = assertRefused(Errno.ENOMEM, () -> maker.apply(context));
            assertTrue(refused.getMessage().contains(limit + " " + things), refused::getMessage);
        }
        one.close();
        one.close();
        maker.apply(0);
        assertRefused(Errno.ENOMEM, () -> maker.apply(0));
    }

    private Context either(int i) {
        return i % 2 == 0 ? context : second;
    }

    @Test
    void shouldHaveAsManyProtectionDomainsAsItSays() throws Exception {
        exhaust(
                device.maxProtectionDomains(),
                "protection domains",
                i -> either(i).allocateProtectionDomain());
    }

    @Test
    void shouldHaveAsManyCompletionQueuesAsItSays() throws Exception {
        exhaust(
                device.maxCompletionQueues(),
                "completion queues",
                i -> either(i).createCompletionQueue(1));
    }

    @Test
    void shouldHaveAsManySharedReceiveQueuesAsItSays() throws Exception {
        ProtectionDomain[] domains = {context.allocateProtectionDomain(), second.allocateProtectionDomain()};
        SharedReceiveQueueOptions options = new SharedReceiveQueueOptions(1, 1, 0);
        exhaust(
                device.maxSharedReceiveQueues(),
                "shared receive queues",
                i -> domains[i % 2].createSharedReceiveQueue(options));
    }

    @Test
    void shouldNotCountWhatItRefused() {
        for (int i = 0; i <= device.maxCompletionQueues(); i++) {
            int tooMany = device.maxCompletionEntries() + 1;
            assertRefused(Errno.EINVAL, () -> context.createCompletionQueue(tooMany));
        }
        context.createCompletionQueue(1);
    }

    @Test
    void shouldMakeTheLargestQueuePairAndNoLargerOne() {
        ProtectionDomain domain = context.allocateProtectionDomain();
        CompletionQueue queue = context.createCompletionQueue(device.maxCompletionEntries());
        assertEquals(device.maxCompletionEntries(), queue.capacity());
        int requests = device.maxWorkRequests();
        int buffers = device.maxScatterGather();
        int inline = device.maxInlineBytes();
        QueuePairOptions options = QueuePairOptions.rc(queue);
        QueuePairCapabilities largest = new QueuePairCapabilities(requests, requests, buffers, buffers, inline);
        QueuePair qp = domain.createQueuePair(options.capabilities(largest));
        assertEquals(largest, qp.capabilities());
        QueuePairCapabilities[] larger = {
            largest.withSendRequests(requests + 1),
            largest.withReceiveRequests(requests + 1),
            largest.withScatterGather(buffers + 1, buffers),
            largest.withScatterGather(buffers, buffers + 1),
            largest.withInlineBytes(inline + 1)
        };
        for (QueuePairCapabilities capabilities : larger) {
            assertRefused(Errno.EINVAL, () -> domain.createQueuePair(options.capabilities(capabilities)));
        }
    }

    @Test
    void shouldAnswerForItsTablesAndNothingBesides() {
        assertEquals(1, context.port(1).gidTableLength());
        assertEquals(1, context.port(1).pkeyTableLength());
        assertEquals(1, context.attributes().details().maxPartitionKeys());
        assertEquals(context.gid(1, 0), context.gids(1).getFirst().gid());
        assertEquals(GidType.ROCE_V2, context.gids(1).getFirst().type());
        assertEquals(0, context.partitionKeyIndex(1, 0xFFFF));
        for (int wrong : new int[] {-1, 1, Integer.MAX_VALUE}) {
            assertRefused(Errno.EINVAL, () -> context.gid(1, wrong));
            assertRefused(Errno.EINVAL, () -> context.partitionKey(1, wrong));
        }
        for (int port : new int[] {0, 2, -1}) {
            assertRefused(Errno.EINVAL, () -> context.gids(port));
            assertRefused(Errno.EINVAL, () -> context.port(port));
        }
        assertRefused(Errno.ENOENT, () -> context.partitionKeyIndex(1, 0x1234));
    }
}
