package io.verbena.conformance.queue;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.conformance.bench.RefusedCall;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Registering memory and what its keys open. Violations of remote access are in `ErrorStatusContract`.
public abstract class MemoryContract extends Contract {
    protected MemoryContract() {}

    @Test
    @Rule("MR-1")
    void shouldRefuseRemoteWriteWithoutLocalWrite() {
        for (Access right : new Access[] {Access.REMOTE_WRITE, Access.REMOTE_ATOMIC}) {
            RefusedCall.with(Errno.EINVAL, right + " alone", () -> left().memory(64, right));
            left().memory(64, right, Access.LOCAL_WRITE);
        }
        left().memory(64, Access.REMOTE_READ);
        left().memory(64);
    }

    @Test
    @Rule("MR-1")
    void shouldSendFromMemoryWithoutAnyRight() {
        QueuePairLink link = link();
        MemoryRegion source = left().keep(left().pd().allocate(64));
        MemoryRegion target = right().memory(64);
        byte[] pattern = Bytes.pattern(8, 64);
        Bytes.put(source, 0, pattern);
        link.left().post(link.left().request(1).write(target.remote()).from(source, 0, 64));
        link.left().sent(1);
        Bytes.assertAt(target, 0, pattern);
    }

    @Test
    @Rule("MR-2")
    void shouldGiveRemoteKeyOnlyWithRemoteRight() {
        assertEquals(0, left().memory(64, Access.LOCAL_WRITE).rkey());
        assertEquals(0, left().keep(left().pd().allocate(64)).rkey());
        MemoryRegion open = left().memory(64, Access.REMOTE_READ);
        assertNotEquals(0, open.rkey());
        assertNotEquals(0, open.lkey());
    }

    @Test
    @Rule("MR-2")
    void shouldNotTellPeersOfMemoryThatTheyMayNotReach() {
        MemoryRegion own = left().memory(64, Access.LOCAL_WRITE);
        RdmaException refused = RefusedCall.with(Errno.EINVAL, "memory of this side alone", own::remote);
        assertTrue(refused.getMessage().contains("REMOTE_READ"), refused::getMessage);
        assertNotEquals(0, left().memory(64, Access.REMOTE_READ).remote().rkey());
    }

    @Test
    @Rule("MR-2")
    void shouldNotGiveTheKeyOfAClosedRegionToTheNext() {
        Set<Integer> keys = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            MemoryRegion region = left().memory(64);
            assertTrue(keys.add(region.lkey()), "a key comes again after " + i + " regions");
            region.close();
        }
    }

    @Test
    @Rule("MR-2")
    void shouldNotOpenANewRegionWithAStaleKey() {
        QueuePairLink link = link();
        MemoryRegion source = left().memory(64);
        source.memory().fill((byte) 9);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(64, 64);
            Access[] rights = {Access.LOCAL_WRITE, Access.REMOTE_WRITE};
            MemoryRegion old = right().pd().register(memory, rights);
            int stale = old.rkey();
            long address = old.address();
            old.close();
            MemoryRegion now = right().pd().register(memory, rights);
            try {
                assertNotEquals(stale, now.rkey());
                link.left().post(link.left().request(1).write(address, stale).from(source, 0, 64));
                link.left().sent(1, CompletionStatus.REMOTE_ACCESS_ERROR);
                Bytes.assertUnchanged(new byte[64], now);
            } finally {
                now.close();
            }
        }
    }

    @Test
    @Rule("MR-2")
    void shouldDescribeAllocatedMemory() {
        MemoryRegion region = left().memory(10_000);
        assertAll(
                () -> assertEquals(10_000, region.length()),
                () -> assertEquals(10_000, region.memory().byteSize()),
                () -> assertEquals(left().pd(), region.protectionDomain()),
                () -> assertEquals(region.rkey(), region.remote().rkey()),
                () -> assertEquals(region.address(), region.remote().address()),
                () -> assertEquals(10_000, region.remote().length()),
                () -> assertTrue(Access.REMOTE_READ.in(region.access())));
        Bytes.assertUnchanged(new byte[10_000], region);
    }

    @Test
    @Rule("MR-2")
    void shouldUseMemoryTheCallerHas() {
        QueuePairLink link = link();
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(5000, 8);
            MemoryRegion region =
                    right().pd().register(memory.asSlice(100, 4000), Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            try {
                assertEquals(memory.address() + 100, region.address());
                byte[] pattern = Bytes.pattern(9, 4000);
                MemoryRegion source = left().memory(4000);
                Bytes.put(source, 0, pattern);
                link.left().post(link.left().request(1).write(region.remote()).from(source, 0, 4000));
                link.left().sent(1);
                Bytes.assertAt(region, 0, pattern);
                for (int i = 0; i < 100; i++) {
                    assertEquals(0, memory.get(ValueLayout.JAVA_BYTE, i), "before the region");
                    assertEquals(0, memory.get(ValueLayout.JAVA_BYTE, 4900L - 1 - i + 100), "after the region");
                }
            } finally {
                region.close();
            }
        }
    }

    @Test
    @Rule("MR-6")
    void shouldCloseRegionWhileRequestsUseIt() {
        QueuePairLink link = link();
        MemoryRegion buffer = right().memory(64);
        link.right().receive(1, buffer, 0, 64);
        buffer.close();
        MemoryRegion source = left().memory(64);
        link.left().post(link.left().request(2).send().from(source, 0, 64));
        link.left().sent(2, CompletionStatus.REMOTE_OPERATION_ERROR);
        assertNotEquals(CompletionStatus.SUCCESS, link.right().received().status());
    }

    @Test
    @Rule("MR-6")
    void shouldRefuseAccessAfterRegionIsClosed() {
        QueuePairLink link = link();
        MemoryRegion target = right().memory(64);
        MemoryRegion local = left().memory(64);
        link.left().post(link.left().request(1).read(target.remote()).into(local, 0, 64));
        link.left().sent(1);
        var remote = target.remote();
        target.close();
        link.left().post(link.left().request(2).read(remote).into(local, 0, 64));
        link.left().sent(2, CompletionStatus.REMOTE_ACCESS_ERROR);
    }

    @Test
    @Rule("MR-8")
    void shouldCountAddressesFromIova() {
        QueuePairLink link = link();
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(4096, 4096);
            MemoryRegion region = right().pd().register(memory, 0x10_0000, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            try {
                assertEquals(0x10_0000, region.address());
                byte[] pattern = Bytes.pattern(10, 64);
                MemoryRegion source = left().memory(64);
                Bytes.put(source, 0, pattern);
                link.left()
                        .post(link.left()
                                .request(1)
                                .write(0x10_0000 + 100, region.rkey())
                                .from(source, 0, 64));
                link.left().sent(1);
                Bytes.assertAt(region, 100, pattern);
            } finally {
                region.close();
            }
        }
    }

    @Test
    @Rule("MR-9")
    void shouldChangeRightsWhenReregistered() {
        MemoryRegion region = left().memory(64, Access.LOCAL_WRITE);
        region.reregister(null, null, Set.of(Access.LOCAL_WRITE, Access.REMOTE_READ));
        assertTrue(Access.REMOTE_READ.in(region.access()));
    }

    @Test
    @Rule("MR-10")
    void shouldIgnoreRelaxedOrdering() {
        left().memory(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.RELAXED_ORDERING);
    }

    @Test
    @Rule("MR-7")
    void shouldKeepDomainsApart() {
        ProtectionDomain other = left().otherPd();
        assertNotEquals(left().pd(), other);
        MemoryRegion region = left().keep(other.allocate(64, Access.LOCAL_WRITE));
        assertEquals(other, region.protectionDomain());
    }
}
