package io.verbena.rdmacore.lib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rdmacore.lib.Failures.Subject;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class FailuresTest {
    @Test
    void shouldNameVerbValuesCauseAndRemedy() {
        RdmaException e = Failures.of(Subject.DEVICE, "open device mlx5_0", Errno.EACCES.number());
        assertEquals(Errno.EACCES, e.errno());
        assertTrue(e.getMessage().startsWith("open device mlx5_0: no permission"), e.getMessage());
        assertTrue(e.getMessage().contains("/dev/infiniband"), e.getMessage());
    }

    @Test
    void shouldBlameTheLimitOfLockedMemoryOnlyWhenThereIsOne() {
        assertTrue(Failures.lockedMemory(OptionalLong.of(65536)).contains("64 KiB"));
        assertTrue(Failures.lockedMemory(OptionalLong.of(65536)).contains("ulimit -l"));
        assertTrue(Failures.lockedMemory(OptionalLong.empty()).contains("there is none"));
    }

    @Test
    void shouldPreferTheGuessOfTheSubject() {
        assertTrue(Failures.explain(Subject.CONNECTION, Errno.ENODEV.number()).contains("rdma_ucm"));
        assertTrue(Failures.explain(Subject.QUERY, Errno.ENODEV.number()).contains("gone"));
    }

    @Test
    void shouldKeepANumberWithoutAName() {
        assertEquals(512, Failures.of(Subject.POST, "post send", -512).errnoNumber());
    }
}
