package io.verbena.soft.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.OverSharedMemory;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// A program of the same user that cuts files which others have mapped: touching what is gone is a fault of the
/// processor, which Java tells as an InternalError.
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class CutFileTest implements OverSharedMemory {
    private final SharedPair pair = new SharedPair(SharedPair.PATIENT);

    @AfterEach
    void close() {
        pair.close();
    }

    private static void cut(SharedFile file) throws IOException {
        Path folder = Path.of(
                "/dev/shm/verbena-" + FileCalls.user(),
                SharedFolder.ofThisProcess().process());
        String name = file.name();
        file.close();
        try (FileChannel channel = FileChannel.open(folder.resolve(name), StandardOpenOption.WRITE)) {
            channel.truncate(0);
        }
    }

    private String state() {
        return pair.left.statuses() + " " + pair.left.context.counters() + " " + pair.right.context.counters();
    }

    private void talk() {
        pair.right.receive(9, 500_000, 1_000);
        pair.left.send(1, 0, 100);
        pair.left.read(2, 0, 1000, 1000);
        assertTrue(pair.driveUntil(() -> pair.left.completions.size() == 2), this::state);
        pair.left.completions.clear();
    }

    /// What is asked for ends in an error, on both sides, and calls throw nothing.
    private void expectTheEnd() {
        pair.right.receive(10, 500_000, 1_000);
        pair.left.send(3, 0, 100);
        assertTrue(pair.driveUntil(() -> pair.left.completions.size() == 1), this::state);
        assertNotEquals(CompletionStatus.SUCCESS, pair.left.statuses().getFirst());
        assertEquals(QueuePairState.ERR, pair.left.qp.state());
        assertEquals(0, pair.faults(), this::state);
        // Who waits does so in peace, and not for ever.
        pair.left.channel.await(Duration.ofMillis(1));
        pair.right.channel.await(Duration.ofMillis(1));
    }

    /// Compiled code tells faults later than other code does.
    private void talkMuch() {
        for (int i = 0; i < 20_000; i++) {
            talk();
        }
    }

    @Test
    void shouldEndAConnectionThatHasRunForLong() throws Exception {
        talkMuch();
        cut(pair.inbox(pair.right));
        expectTheEnd();
    }

    @Test
    void shouldEndTheConnectionWhoseInboxIsCut() throws Exception {
        talk();
        cut(pair.inbox(pair.right));
        expectTheEnd();
    }

    @Test
    void shouldEndTheConnectionWhoseOwnInboxIsCut() throws Exception {
        talk();
        cut(pair.inbox(pair.left));
        expectTheEnd();
    }

    @Test
    void shouldEndTheConnectionsOfADeviceWhoseFileIsCut() throws Exception {
        talk();
        cut(pair.device(pair.right));
        expectTheEnd();
    }

    @Test
    void shouldEndTheConnectionsToADeviceThatIsCut() throws Exception {
        talk();
        cut(pair.device(pair.left));
        expectTheEnd();
    }
}
