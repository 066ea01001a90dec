package io.verbena.soft.region;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.verbena.soft.limit.SoftLimits;
import io.verbena.soft.rig.SimulatedPair;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Mtu;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Where addresses count from, what registering again changes, and what cannot be registered.
class RegistrationTest {
    private static final Access[] WRITABLE = {Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ};
    private static final Set<Access> OPEN = Set.of(WRITABLE);

    private final SimulatedPair pair = new SimulatedPair(6, 4096).connect(Mtu.MTU_256);
    private final SimulatedPair.Side left = pair.left;
    private final SimulatedPair.Side right = pair.right;
    private final Arena arena = Arena.ofShared();

    @AfterEach
    void close() {
        pair.close();
        arena.close();
    }

    private static void refused(Errno errno, Executable call) {
        assertEquals(errno, assertThrows(RdmaException.class, call).errno());
    }

    private CompletionStatus write(long address, int rkey, int bytes) {
        left.post(left.request(1).write(address, rkey).from(left.memory, 0, bytes));
        pair.expect(left, left.completions.size() + 1);
        return left.completions.getLast().status();
    }

    private static byte[] bytes(MemoryRegion region, int from, int length) {
        return region.memory().asSlice(from, length).toArray(ValueLayout.JAVA_BYTE);
    }

    /// Among them addresses whose sums with a length would change their sign.
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 4096, 0x7FFF_FFFF_FFFF_FF00L, -0x8000_0000_0000_0000L, -1000})
    void shouldCountAddressesFromWhereTheProgramSays(long iova) {
        MemoryRegion region = right.pd.register(arena.allocate(1000), iova, WRITABLE);
        assertEquals(iova, region.address());
        assertEquals(iova, region.remote().address());
        byte[] sent = left.fill(0, 1000, 4);
        assertEquals(CompletionStatus.SUCCESS, write(iova, region.rkey(), 1000));
        assertArrayEquals(sent, bytes(region, 0, 1000));
        right.post(right.request(2).write(left.memory.remote()).from(region, 500, 100));
        pair.expect(right, 1);
        assertArrayEquals(bytes(region, 500, 100), left.bytes(0, 100));
        assertEquals(CompletionStatus.REMOTE_ACCESS_ERROR, write(iova + 1, region.rkey(), 1000));
    }

    @Test
    void shouldCountAddressesOfAZeroBasedRegionFromZero() {
        MemoryRegion region = right.pd.allocate(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.ZERO_BASED);
        assertEquals(0, region.address());
        byte[] sent = left.fill(0, 64, 4);
        assertEquals(CompletionStatus.SUCCESS, write(8, region.rkey(), 56));
        assertArrayEquals(java.util.Arrays.copyOf(sent, 56), bytes(region, 8, 56));
        assertEquals(CompletionStatus.REMOTE_ACCESS_ERROR, write(region.memory().address(), region.rkey(), 8));
    }

    @Test
    void shouldRefuseAddressesThatWrap() {
        MemorySegment memory = arena.allocate(64);
        right.pd.register(memory, -64, WRITABLE);
        refused(Errno.EINVAL, () -> right.pd.register(memory, -63, WRITABLE));
        refused(Errno.EINVAL, () -> right.pd.register(memory, 4096, Access.ZERO_BASED));
    }

    @Test
    @SuppressWarnings("restricted")
    void shouldRefuseARegionOfOneByteMoreThanTheDeviceTells() {
        long most = right.context.attributes().maxMemoryRegionBytes();
        assertEquals(SoftLimits.MAX_MEMORY_REGION_BYTES, most);
        MemorySegment everything = MemorySegment.ofAddress(4096).reinterpret(most);
        right.pd.register(everything).close();
        refused(
                Errno.EINVAL,
                () -> right.pd.register(MemorySegment.ofAddress(4096).reinterpret(most + 1)));
        refused(Errno.EINVAL, () -> right.pd.allocate(Long.MAX_VALUE));
        refused(Errno.ENOMEM, () -> right.pd.allocate(most));
    }

    @Test
    void shouldTakeHintsThatChangeNothing() {
        MemoryRegion region =
                right.pd.allocate(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.ON_DEMAND, Access.HUGE_PAGES);
        assertEquals(CompletionStatus.SUCCESS, write(region.address(), region.rkey(), 64));
    }

    @Test
    void shouldMakePersistentOnlyWhatIsMappedFromAFile(@TempDir Path directory) throws IOException {
        refused(Errno.EINVAL, () -> right.pd.allocate(64, Access.LOCAL_WRITE, Access.FLUSH_PERSISTENT));
        try (FileChannel file = FileChannel.open(
                directory.resolve("memory"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            MemorySegment mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, 4096, arena);
            right.pd
                    .register(mapped, Access.LOCAL_WRITE, Access.FLUSH_PERSISTENT)
                    .close();
        }
    }

    @Test
    void shouldChangeRightsUnderTheSameKey() {
        MemoryRegion region = right.pd.allocate(64, Access.LOCAL_WRITE);
        int lkey = region.lkey();
        assertEquals(0, region.rkey());
        region.reregister(null, null, OPEN);
        assertEquals(lkey, region.rkey());
        assertEquals(CompletionStatus.SUCCESS, write(region.address(), region.rkey(), 8));
        region.reregister(null, null, Set.of());
        assertEquals(0, region.access());
        assertEquals(CompletionStatus.REMOTE_ACCESS_ERROR, write(region.address(), lkey, 8));
    }

    @Test
    void shouldReachOtherMemoryUnderAnotherKey() {
        MemorySegment before = arena.allocate(64);
        MemoryRegion region = right.pd.register(before, WRITABLE);
        int old = region.rkey();
        MemorySegment after = arena.allocate(128);
        region.reregister(after, null, null);
        assertSame(after, region.memory());
        assertEquals(128, region.length());
        assertEquals(after.address(), region.address());
        assertNotEquals(old, region.rkey());
        byte[] sent = left.fill(0, 128, 8);
        assertEquals(CompletionStatus.SUCCESS, write(region.address(), region.rkey(), 128));
        assertArrayEquals(sent, bytes(region, 0, 128));
        assertEquals(CompletionStatus.REMOTE_ACCESS_ERROR, write(before.address(), old, 8));
        assertEquals(-1, before.mismatch(arena.allocate(64)));
    }

    @Test
    void shouldMoveToAnotherDomain() {
        ProtectionDomain other = right.context.allocateProtectionDomain();
        MemoryRegion region = right.pd.allocate(64, WRITABLE);
        region.reregister(null, other, null);
        assertSame(other, region.protectionDomain());
        refused(Errno.EBUSY, other::close);
        assertEquals(CompletionStatus.REMOTE_ACCESS_ERROR, write(region.address(), region.rkey(), 8));
        region.close();
        other.close();
        refused(Errno.EBADF, () -> region.reregister(null, null, OPEN));
    }

    @Test
    void shouldStayAsItWasWhenRegisteringAgainFails() {
        MemoryRegion region = right.pd.allocate(64, WRITABLE);
        int rkey = region.rkey();
        ProtectionDomain closed = right.context.allocateProtectionDomain();
        closed.close();
        MemorySegment readOnly = arena.allocate(64).asReadOnly();
        refused(Errno.EINVAL, () -> region.reregister(null, null, Set.of(Access.REMOTE_WRITE)));
        refused(Errno.EINVAL, () -> region.reregister(null, null, Set.of(Access.LOCAL_WRITE, Access.ZERO_BASED)));
        refused(Errno.EINVAL, () -> region.reregister(readOnly, null, null));
        refused(Errno.EFAULT, () -> region.reregister(MemorySegment.ofArray(new byte[64]), null, null));
        refused(Errno.EINVAL, () -> region.reregister(null, left.pd, null));
        refused(Errno.EBADF, () -> region.reregister(null, closed, null));
        assertEquals(rkey, region.rkey());
        assertSame(right.pd, region.protectionDomain());
        assertEquals(CompletionStatus.SUCCESS, write(region.address(), rkey, 64));
    }
}
