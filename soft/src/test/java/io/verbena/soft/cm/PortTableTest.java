package io.verbena.soft.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PortTableTest {
    private static final InetAddress ANY = new Gid(0, 0xFFFF_0000_0000L).address();
    private static final InetAddress ONE = new Gid(0, 0xFFFF_0A00_0001L).address();
    private static final InetAddress TWO = new Gid(0, 0xFFFF_0A00_0002L).address();

    private final PortTable ports = new PortTable(0);

    @Test
    void shouldRefusePortThatIsTaken() {
        PortTable.Binding first = bind(ONE, false);
        assertTaken(ONE, false);
        assertTaken(ONE, true);
        assertTaken(ANY, false);
        bind(TWO, false);
        ports.release(first);
        bind(ONE, false);
    }

    @Test
    void shouldShareReusablePorts() {
        bind(ONE, true);
        bind(ONE, true);
        bind(ANY, true);
        assertTaken(TWO, false);
    }

    @Test
    void shouldKeepPortSpacesApart() {
        bind(ONE, false);
        ports.bind(PortSpace.UDP, ONE, 7471, false);
    }

    @Test
    void shouldGiveEveryEphemeralPortOnceAndThenNone() {
        Set<Integer> given = new HashSet<>();
        int count = PortTable.LAST_EPHEMERAL - PortTable.FIRST_EPHEMERAL + 1;
        PortTable.Binding last = null;
        for (int i = 0; i < 100; i++) {
            last = ports.bind(PortSpace.TCP, ONE, 0, false);
            ports.release(last);
        }
        for (int i = 0; i < count; i++) {
            last = ports.bind(PortSpace.TCP, ONE, 0, false);
            assertTrue(last.port() >= PortTable.FIRST_EPHEMERAL && last.port() <= PortTable.LAST_EPHEMERAL);
            given.add(last.port());
        }
        assertEquals(count, given.size());
        assertEquals(
                Errno.EADDRNOTAVAIL,
                assertThrows(RdmaException.class, () -> ports.bind(PortSpace.TCP, ONE, 0, false))
                        .errno());
        ports.release(last);
        assertEquals(last.port(), ports.bind(PortSpace.TCP, ONE, 0, false).port());
    }

    private PortTable.Binding bind(InetAddress address, boolean reusable) {
        return ports.bind(PortSpace.TCP, address, 7471, reusable);
    }

    private void assertTaken(InetAddress address, boolean reusable) {
        assertEquals(
                Errno.EADDRINUSE,
                assertThrows(RdmaException.class, () -> bind(address, reusable)).errno());
    }
}
