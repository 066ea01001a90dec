package io.verbena.conformance.queue;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.RefusedCall;
import io.verbena.conformance.bench.TestDevice;
import io.verbena.verbs.Context;
import io.verbena.verbs.Errno;
import io.verbena.verbs.attr.DeviceAttributes;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.GidEntry;
import io.verbena.verbs.attr.PortAttributes;
import io.verbena.verbs.attr.PortState;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The attributes of devices.
public abstract class DeviceContract extends Contract {
    protected DeviceContract() {}

    @Test
    @Rule("DEV-1")
    void shouldStateUsableLimits() {
        for (TestDevice side : List.of(left(), right())) {
            DeviceAttributes d = side.context().attributes();
            assertAll(
                    () -> assertTrue(d.portCount() >= 1, "ports"),
                    () -> assertTrue(d.maxQueuePairs() >= 16, "queue pairs"),
                    () -> assertTrue(d.maxWorkRequests() >= 128, "work requests"),
                    () -> assertTrue(d.maxScatterGather() >= 4, "buffers a request"),
                    () -> assertTrue(d.maxCompletionQueues() >= 16, "completion queues"),
                    () -> assertTrue(d.maxCompletionEntries() >= 256, "completions"),
                    () -> assertTrue(d.maxMemoryRegions() >= 16, "regions"),
                    () -> assertTrue(d.maxMemoryRegionBytes() >= 1 << 30, "bytes of a region"),
                    () -> assertTrue(d.maxReadAtomicAsResponder() >= 4, "reads as responder"),
                    () -> assertTrue(d.maxReadAtomicAsInitiator() >= 4, "reads as initiator"),
                    () -> assertFalse(side.context().device().name().isBlank(), "name"),
                    () -> assertFalse(side.context().device().provider().isBlank(), "provider"));
        }
    }

    @Test
    @Rule("DEV-2")
    void shouldHaveAnActivePort() {
        for (TestDevice side : List.of(left(), right())) {
            PortAttributes port = side.context().port(1);
            assertAll(
                    () -> assertEquals(PortState.ACTIVE, port.state()),
                    () -> assertTrue(port.activeMtu().bytes() <= port.maxMtu().bytes(), "active MTU"),
                    () -> assertTrue(port.maxMessageBytes() >= 1 << 20, "longest message"),
                    () -> assertTrue(port.gidTableLength() >= 1, "GID table"),
                    () -> assertTrue(port.pkeyTableLength() >= 1, "partition key table"));
        }
    }

    @Test
    @Rule("DEV-3")
    void shouldListItsAddressAsGid() {
        for (TestDevice side : List.of(left(), right())) {
            Context context = side.context();
            Gid own = Gid.of(side.address());
            List<GidEntry> table = context.gids(1);
            assertTrue(table.stream().anyMatch(entry -> entry.gid().equals(own)), () -> own + " in " + table);
            for (GidEntry entry : table) {
                assertEquals(entry.gid(), context.gid(1, entry.index()));
            }
        }
    }

    @Test
    @Rule("DEV-3")
    void shouldHaveTheDefaultPartitionKey() {
        assertEquals(0xFFFF, left().context().partitionKey(1, 0) & 0xFFFF);
    }

    @Test
    @Rule("DEV-2")
    void shouldRefuseQueriesOfWhatDoesNotExist() {
        Context context = left().context();
        int ports = context.attributes().portCount();
        RefusedCall.with(Errno.EINVAL, "port " + (ports + 1), () -> context.port(ports + 1));
        RefusedCall.with(Errno.EINVAL, "port 0", () -> context.port(0));
        int keys = context.port(1).pkeyTableLength();
        RefusedCall.with(Errno.EINVAL, "partition key " + keys, () -> context.partitionKey(1, keys));
    }

    @Test
    @Rule("EV-9")
    void shouldHaveNoEventsWhenNothingHappened() {
        assertFalse(left().context().asyncEvents().isReady());
        assertNull(left().context().asyncEvents().tryTake());
    }
}
