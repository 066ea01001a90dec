package io.verbena.soft.os;

import static io.verbena.soft.os.Refusals.assertRefused;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.rig.ChildJvm;
import io.verbena.verbs.Errno;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class SealedMemoryTest {
    private static final long PID = ProcessHandle.current().pid();
    private static final long BYTES = 10_000;

    @Test
    void shouldShowBothProcessesTheBytesOfTheOther() throws Exception {
        try (ChildJvm child = new ChildJvm(OtherProcess.class)) {
            var place = OtherProcess.Place.of(child);
            assertEquals(child.pid(), place.pid());
            try (SealedMemory memory =
                    SealedMemory.open(place.pid(), place.memoryFd(), place.nonce(), OtherProcess.BYTES)) {
                assertEquals(OtherProcess.BYTES, memory.bytes());
                assertEquals(OtherProcess.WRITTEN, memory.memory().get(JAVA_LONG, OtherProcess.WRITTEN_AT));
                memory.memory().set(JAVA_LONG, OtherProcess.ANSWER_AT, 42);
                child.tell(OtherProcess.LOOK);
                assertEquals("42", child.line());
            }
        }
    }

    @Test
    void shouldKeepTheMemoryWhenItsMakerIsKilledOrLetsNobodyElseIn() throws Exception {
        try (ChildJvm child = new ChildJvm(OtherProcess.class)) {
            var place = OtherProcess.Place.of(child);
            try (SealedMemory memory =
                    SealedMemory.open(place.pid(), place.memoryFd(), place.nonce(), OtherProcess.BYTES)) {
                child.tell(OtherProcess.CLOSE_MEMORY);
                assertEquals(OtherProcess.DONE, child.line());
                assertRefused(Errno.ENOENT, () -> SealedMemory.open(place.pid(), place.memoryFd(), place.nonce(), 1));
                child.kill();
                assertRefused(Errno.ENOENT, () -> SealedMemory.open(place.pid(), place.memoryFd(), place.nonce(), 1));
                assertEquals(OtherProcess.WRITTEN, memory.memory().get(JAVA_LONG, OtherProcess.WRITTEN_AT));
            }
        }
    }

    @Test
    void shouldRefuseToShrinkOrGrowOrUnseal() {
        try (SealedMemory memory = SealedMemory.create(BYTES, false)) {
            int opened = DescriptorCalls.open("/proc/" + PID + "/fd/" + memory.fd(), DescriptorCalls.O_RDWR);
            assertTrue(opened >= 0, () -> "errno " + -opened);
            for (int fd : new int[] {memory.fd(), opened}) {
                assertEquals(-Errors.EPERM, MemoryCalls.resize(fd, BYTES - 1));
                assertEquals(-Errors.EPERM, MemoryCalls.resize(fd, 0));
                assertEquals(-Errors.EPERM, MemoryCalls.resize(fd, 2 * BYTES));
                assertEquals(-Errors.EPERM, MemoryCalls.addSeals(fd, MemoryCalls.F_SEAL_GROW));
            }
            assertEquals(BYTES, MemoryCalls.size(opened));
            DescriptorCalls.close(opened);
        }
    }

    @Test
    void shouldBeOfZerosAndOfExactlyTheSize() {
        for (boolean reserve : new boolean[] {true, false}) {
            try (SealedMemory memory = SealedMemory.create(BYTES, reserve)) {
                assertEquals(BYTES, memory.bytes());
                assertEquals(BYTES, memory.memory().byteSize());
                assertEquals(memory.address(), memory.memory().address());
                assertTrue(memory.memory().scope().isAlive());
                assertTrue(memory.memory().elements(JAVA_BYTE).allMatch(b -> b.get(JAVA_BYTE, 0) == 0));
            }
        }
    }

    @Test
    void shouldTakeMemoryOnlyWhenTouchedUnlessReserved() throws IOException {
        long bytes = 8L << 20;
        try (SealedMemory lazy = SealedMemory.create(bytes, false);
                SealedMemory reserved = SealedMemory.create(bytes, true)) {
            assertTrue(takenKibibytes(reserved) >= bytes >> 10);
            assertEquals(0, takenKibibytes(lazy));
        }
    }

    /// What the memory takes, as opposed to its size: `du` asks for the former.
    private static long takenKibibytes(SealedMemory memory) throws IOException {
        Process process = new ProcessBuilder("du", "-kL", "/proc/" + PID + "/fd/" + memory.fd()).start();
        String text = new String(process.getInputStream().readAllBytes());
        return Long.parseLong(text.split("\\s")[0]);
    }

    @Test
    void shouldRefuseWhatWasNotMeant() throws Exception {
        Path file = Files.createTempFile("verbena", "test");
        try (SealedMemory memory = SealedMemory.create(BYTES, false);
                Bell bell = Bell.create()) {
            long nonce = memory.nonce();
            assertNotEquals(0, nonce);
            assertRefused(Errno.EINVAL, () -> SealedMemory.open(PID, memory.fd(), nonce + 1, 1));
            assertRefused(Errno.EINVAL, () -> SealedMemory.open(PID, memory.fd(), nonce, BYTES + 1));
            assertRefused(Errno.EINVAL, () -> SealedMemory.open(PID, bell.ringFd(), nonce, 1));
            int opened = DescriptorCalls.open(file.toString(), DescriptorCalls.O_RDWR);
            assertRefused(Errno.EINVAL, () -> SealedMemory.open(PID, opened, nonce, 1));
            DescriptorCalls.close(opened);
            assertRefused(Errno.ENOENT, () -> SealedMemory.open(PID, Integer.MAX_VALUE, nonce, 1));
            assertRefused(Errno.ENOENT, () -> SealedMemory.open(Integer.MAX_VALUE, memory.fd(), nonce, 1));
            assertRefused(Errno.ENOENT, () -> SealedMemory.open(PID, -1, nonce, 1));
        } finally {
            Files.delete(file);
        }
    }

    @Test
    void shouldRefuseMemoryWithTheRightNameThatCanBeCut() {
        int fd = MemoryCalls.create("verbena-00000000000000ab");
        assertEquals(0, MemoryCalls.resize(fd, BYTES));
        assertRefused(Errno.EINVAL, () -> SealedMemory.open(PID, fd, 0xAB, BYTES));
        assertEquals(0, MemoryCalls.addSeals(fd, MemoryCalls.F_SEAL_SHRINK));
        SealedMemory.open(PID, fd, 0xAB, BYTES).close();
        DescriptorCalls.close(fd);
    }

    /// Address space is not for free: one file of many terabytes takes all there is.
    @Test
    void shouldMapNoMoreThanWasAskedFor() {
        int fd = MemoryCalls.create("verbena-00000000000000ac");
        assertEquals(0, MemoryCalls.resize(fd, 1L << 46));
        assertEquals(0, MemoryCalls.addSeals(fd, MemoryCalls.F_SEAL_SHRINK));
        List<SealedMemory> opened = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            opened.add(SealedMemory.open(PID, fd, 0xAC, BYTES));
            assertEquals(BYTES, opened.getLast().memory().byteSize());
        }
        opened.forEach(SealedMemory::close);
        DescriptorCalls.close(fd);
    }

    @Test
    void shouldLetNobodyInAfterItsDescriptorIsClosedAndCloseTwice() {
        SealedMemory memory = SealedMemory.create(BYTES, true);
        int fd = memory.fd();
        SealedMemory other = SealedMemory.open(PID, fd, memory.nonce(), BYTES);
        assertEquals(-1, other.fd());
        assertEquals(memory.nonce(), other.nonce());
        assertNotEquals(memory.address(), other.address());
        memory.closeDescriptor();
        memory.closeDescriptor();
        assertEquals(-1, memory.fd());
        assertRefused(Errno.ENOENT, () -> SealedMemory.open(PID, fd, memory.nonce(), BYTES));
        memory.memory().set(JAVA_LONG, 0, 5);
        assertEquals(5, other.memory().get(JAVA_LONG, 0));
        memory.close();
        memory.close();
        assertEquals(5, other.memory().get(JAVA_LONG, 0), "each has its own mapping");
        other.close();
        other.close();
    }

    /// Compares with before, because other tests of this process may have memory open.
    @Test
    void shouldLeaveNothingBehindWhenRefusedOrClosed() throws IOException {
        Set<String> before = memories();
        assertRefused(Errno.EINVAL, () -> SealedMemory.create(0, false));
        assertRefused(Errno.ENOMEM, () -> SealedMemory.create(1L << 60, true));
        assertRefused(Errno.ENOMEM, () -> SealedMemory.create(1L << 60, false));
        try (SealedMemory memory = SealedMemory.create(BYTES, false)) {
            assertRefused(Errno.EINVAL, () -> SealedMemory.open(PID, memory.fd(), memory.nonce(), BYTES + 1));
            SealedMemory.open(PID, memory.fd(), memory.nonce(), BYTES).close();
            assertEquals(before.size() + 2, memories().size(), "one descriptor, one mapping");
        }
        assertEquals(before, memories());
    }

    /// The descriptors and mappings of this process that are memory of this kind.
    private static Set<String> memories() throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"));
                Stream<String> mappings = Files.lines(Path.of("/proc/self/maps"))) {
            return Stream.concat(descriptors.map(link -> link + " " + target(link)), mappings)
                    .filter(text -> text.contains("memfd:verbena-"))
                    .collect(Collectors.toSet());
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException closedMeanwhile) {
            return "";
        }
    }
}
