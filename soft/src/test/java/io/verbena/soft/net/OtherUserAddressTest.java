package io.verbena.soft.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.option.Offload;
import io.verbena.soft.rig.ChildJvm;
import io.verbena.soft.rig.OtherUser;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Addresses of two users of one host.
@EnabledOnOs(OS.LINUX)
class OtherUserAddressTest {
    /// Far less than the time for which a process of the same user would be waited for.
    private static final Duration SOON = Duration.ofSeconds(15);

    private final InetAddress address = Loopback.next();

    @BeforeEach
    void requireRoot() throws IOException, InterruptedException {
        OtherUser.require();
    }

    private LinuxWire open() {
        return new LinuxWire(address, 4096, Offload.ALL);
    }

    @Test
    void shouldRefuseAtOnceWhatAnotherUserHasOpen() throws Exception {
        try (ChildJvm child = new ChildJvm(OtherUser.NOBODY, AddressHolder.class, "wire", address.getHostAddress())) {
            assertEquals("open", child.line());
            RdmaException refused =
                    assertTimeoutPreemptively(SOON, () -> assertThrows(RdmaException.class, this::open));
            assertEquals(Errno.EADDRINUSE, refused.errno());
            assertTrue(refused.getMessage().contains("is taken by process " + child.pid()), refused.getMessage());
        }
    }

    /// The name by which processes find each other belongs to whoever takes it first.
    @Test
    void shouldBelongToOneProcessWhenAnotherUserHasTheNameOfTheDoor() throws Exception {
        String name = "verbena-address-0-" + address.getHostAddress();
        try (ChildJvm child = new ChildJvm(OtherUser.NOBODY, AddressHolder.class, "name", name)) {
            assertEquals("open", child.line());
            try (LinuxWire first = assertTimeoutPreemptively(SOON, this::open)) {
                assertNull(first.sharedAddress());
                RdmaException refused =
                        assertTimeoutPreemptively(SOON, () -> assertThrows(RdmaException.class, this::open));
                assertEquals(Errno.EADDRINUSE, refused.errno());
                String squatter = "process " + child.pid() + " of user " + OtherUser.NOBODY_ID;
                assertTrue(refused.getMessage().contains(squatter), refused.getMessage());
            }
        }
    }
}
