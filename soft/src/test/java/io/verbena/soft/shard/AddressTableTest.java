package io.verbena.soft.shard;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.os.DescriptorCalls;
import io.verbena.soft.os.SealedMemory;
import io.verbena.soft.os.SocketCalls;
import io.verbena.verbs.RdmaException;
import java.lang.foreign.Arena;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Two tables of one page exclude each other as two processes do.
@EnabledOnOs(OS.LINUX)
class AddressTableTest {
    private static final int INTERNET = 2;
    private static final int DATAGRAM_CLOEXEC = 2 | 0x80000;
    private static final int UDP = 17;
    private static final int SOL_SOCKET = 1;
    private static final int SO_REUSEPORT = 15;

    private final AddressSockets sockets = newSockets();
    private final AddressTable first = new AddressTable("127.0.0.1", sockets);
    private final AddressTable second = new AddressTable("127.0.0.1", sockets);
    private final Random random = new Random(1);

    /// Of no address: who gets a packet is no matter here.
    private static AddressSockets newSockets() {
        int[] fds = new int[AddressPage.SHARDS];
        try (Arena arena = Arena.ofConfined()) {
            for (int i = 0; i < fds.length; i++) {
                fds[i] = SocketCalls.socket(INTERNET, DATAGRAM_CLOEXEC, UDP);
                long on = arena.allocateFrom(JAVA_INT, 1).address();
                assertEquals(0, SocketCalls.setIntOption(fds[i], SOL_SOCKET, SO_REUSEPORT, on));
            }
        }
        AddressSockets made = new AddressSockets(fds, SealedMemory.create(AddressPage.BYTES, false));
        made.page().begin();
        return made;
    }

    @AfterEach
    void close() {
        first.close();
        second.close();
        sockets.close();
    }

    /// So that every further attempt to give the kernel a program fails.
    private void closeSockets() {
        for (int i = 0; i < AddressPage.SHARDS; i++) {
            DescriptorCalls.close(sockets.fds()[i]);
            sockets.fds()[i] = -1;
        }
    }

    @Test
    void shouldAttachNoProgramWhenNobodyHasEnded() {
        first.claim(random);
        first.claim(random);
        second.claim(random);
        closeSockets();
        first.removeEnded();
        second.close();
        assertThrows(RdmaException.class, first::removeEnded);
    }

    @Test
    void shouldFinishTheChangeOfAProcessThatEndedInItsMiddle() {
        first.claim(random);
        sockets.page().isChanged(true);
        first.removeEnded();
        assertFalse(sockets.page().isChanged());
    }

    @Test
    void shouldMissNobodyWhenAProcessHasSeveralShards() {
        first.claim(random);
        first.claim(random);
        long own = ProcessHandle.current().pid();
        assertFalse(first.isHeldByOthersThan(Set.of(own)));
        assertTrue(first.isHeldByOthersThan(Set.of(own + 1)));
    }

    @Test
    void shouldLeaveAnAbandonedShardToWhoeverCleansUp() {
        int abandoned = first.claim(random);
        int kept = first.claim(random);
        first.abandon(abandoned);
        second.removeEnded();
        assertEquals(Set.of(kept), second.holders().keySet());
    }
}
