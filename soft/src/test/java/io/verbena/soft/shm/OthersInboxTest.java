package io.verbena.soft.shm;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.OverSharedMemory;
import io.verbena.soft.SoftContext;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.net.Loopback;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// A peer whose queue pair still has the inbox of another connection.
@EnabledOnOs(OS.LINUX)
class OthersInboxTest implements OverSharedMemory {
    private final SharedPair pair = new SharedPair(Loopback.next(), Loopback.next());

    @AfterEach
    void close() {
        pair.close();
    }

    private boolean isAttached() {
        Engine engine = ((SoftContext) pair.left.context).engine();
        return engine.call(() -> engine.sharing().links()[0].lane().isAttached());
    }

    @Test
    void shouldOpenItOnceOnlyAndTakeTheNextOne() throws IOException {
        pair.connect(SharedPair.PATIENT);
        try (SharedFile inbox = pair.inbox(pair.right);
                SharedFile device = pair.device(pair.right)) {
            MemorySegment memory = inbox.memory();
            long at = DeviceLayout.queuePairAt(pair.right.qp.number()) + DeviceLayout.INBOX;
            long id = DeviceLayout.load(device.memory(), at);
            memory.set(ValueLayout.JAVA_INT, InboxLayout.PEER_QP_AT, pair.left.qp.number() + 1);
            assertFalse(isAttached(), "it is another connection's");
            memory.set(ValueLayout.JAVA_INT, InboxLayout.PEER_QP_AT, pair.left.qp.number());
            assertFalse(isAttached(), "it was opened again");
            DeviceLayout.LONG.setVolatile(device.memory(), at, 0L);
            assertFalse(isAttached(), "there is none");
            DeviceLayout.LONG.setVolatile(device.memory(), at, copyOf(id));
            assertTrue(isAttached(), "there is one for us");
        }
    }

    /// Another name for the same file.
    private static long copyOf(long id) throws IOException {
        Path folder = Path.of(
                "/dev/shm/verbena-" + FileCalls.user(),
                SharedFolder.ofThisProcess().process());
        long other = Long.MAX_VALUE;
        Files.createLink(folder.resolve(Sharing.inboxName(other)), folder.resolve(Sharing.inboxName(id)));
        return other;
    }
}
