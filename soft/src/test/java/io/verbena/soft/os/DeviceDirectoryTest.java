package io.verbena.soft.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.rig.ChildJvm;
import io.verbena.verbs.attr.Gid;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class DeviceDirectoryTest {
    private static final long PID = ProcessHandle.current().pid();
    /// The number of the process, so that tests of several users of the host do not meet.
    private static final Gid FIRST = new Gid(0x7E57_0000_0000_0002L, PID);

    private static final Gid SECOND = new Gid(0x7E57_0000_0000_0003L, PID);

    private final List<Integer> sockets = new ArrayList<>();

    @AfterEach
    void close() {
        sockets.forEach(DescriptorCalls::close);
    }

    private void bind(String name) {
        int fd = SocketCalls.unixSocket();
        sockets.add(fd);
        assertEquals(0, SocketCalls.bindAbstract(fd, name));
    }

    @Test
    void shouldFindWhatIsAnnouncedUntilItIsWithdrawn() {
        assertEquals(List.of(), DeviceDirectory.find(FIRST));
        DeviceDirectory announced = DeviceDirectory.announce(FIRST, 17, -2);
        assertEquals(List.of(new Announcement(PID, 17, -2)), DeviceDirectory.find(FIRST));
        announced.close();
        assertEquals(List.of(), DeviceDirectory.find(FIRST));
        announced.close();
    }

    @Test
    void shouldKeepAddressesApartAndFindAllAnnouncementsOfOne() {
        try (DeviceDirectory _ = DeviceDirectory.announce(FIRST, 1, 1);
                DeviceDirectory _ = DeviceDirectory.announce(SECOND, 2, 2);
                DeviceDirectory _ = DeviceDirectory.announce(FIRST, 3, 3)) {
            assertEquals(
                    Set.of(new Announcement(PID, 1, 1), new Announcement(PID, 3, 3)),
                    Set.copyOf(DeviceDirectory.find(FIRST)));
            assertEquals(List.of(new Announcement(PID, 2, 2)), DeviceDirectory.find(SECOND));
        }
    }

    @Test
    void shouldNotLookAtAnnouncementsOfAnotherUser() {
        bind(DeviceDirectory.name(DescriptorCalls.user() + 1, FIRST, new Announcement(PID, 1, 1)));
        assertEquals(List.of(), DeviceDirectory.find(FIRST));
    }

    @Test
    void shouldIgnoreMalformedNames() {
        String prefix = DeviceDirectory.prefix(DescriptorCalls.user(), FIRST);
        String nonce = "0123456789abcdef";
        List<String> malformed = List.of(
                "",
                "1",
                "1-",
                "1-2",
                "1-2-",
                "1-2-" + nonce.substring(1),
                "1-2-" + nonce + "0",
                "1-2-" + nonce + "-",
                "1-2-" + nonce + "\0",
                "1-2- " + nonce.substring(1),
                "1-2-g" + nonce.substring(1),
                "1-2--" + nonce,
                "-1-2-" + nonce,
                "0-2-" + nonce,
                "--" + nonce,
                "1--" + nonce,
                "-2-" + nonce,
                "1a-2-" + nonce,
                "1-+2-" + nonce,
                "99999999999999999999-2-" + nonce,
                "1-2147483648-" + nonce,
                "\u00ff-2-" + nonce);
        malformed.forEach(end -> bind(prefix + end));
        bind("verbena-");
        bind("x" + prefix + "1-2-" + nonce);
        assertEquals(List.of(), DeviceDirectory.find(FIRST));
        // The kernel shows a line break as it is: what comes before it is whole, and must not hide the rest.
        bind(prefix + "1-2-" + nonce + "\n" + prefix);
        try (DeviceDirectory _ = DeviceDirectory.announce(FIRST, 3, 3)) {
            assertEquals(
                    Set.of(new Announcement(1, 2, 0x0123456789abcdefL), new Announcement(PID, 3, 3)),
                    Set.copyOf(DeviceDirectory.find(FIRST)));
        }
    }

    @Test
    void shouldFindAnotherProcessAndNothingOfItWhenItIsKilled() throws Exception {
        try (ChildJvm child = new ChildJvm(OtherProcess.class)) {
            var place = OtherProcess.Place.of(child);
            var announcement = new Announcement(place.pid(), place.memoryFd(), place.nonce());
            List<Announcement> found = DeviceDirectory.find(OtherProcess.GID);
            assertTrue(found.contains(announcement), found::toString);
            SealedMemory.open(announcement.pid(), announcement.memoryFd(), announcement.nonce(), OtherProcess.BYTES)
                    .close();
            child.kill();
            String names = Files.readString(Path.of("/proc/self/net/unix"), StandardCharsets.ISO_8859_1);
            String name = DeviceDirectory.name(DescriptorCalls.user(), OtherProcess.GID, announcement);
            assertFalse(names.contains(name), names);
            assertFalse(DeviceDirectory.find(OtherProcess.GID).contains(announcement));
        }
    }
}
