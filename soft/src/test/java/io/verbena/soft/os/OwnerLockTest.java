package io.verbena.soft.os;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class OwnerLockTest {
    @Test
    void shouldGiveEachByteToOneHolder() {
        try (SealedMemory file = SealedMemory.create(100, false);
                OwnerLock first = new OwnerLock(file.fd());
                OwnerLock second = new OwnerLock(file.fd())) {
            assertTrue(first.tryLock(7));
            assertTrue(first.tryLock(7));
            assertFalse(second.tryLock(7));
            assertTrue(second.tryLock(8));
            first.unlock(7);
            assertTrue(second.tryLock(7));
        }
    }

    @Test
    void shouldReleaseAllWhenItsHolderCloses() {
        try (SealedMemory file = SealedMemory.create(100, false);
                OwnerLock second = new OwnerLock(file.fd())) {
            try (OwnerLock first = new OwnerLock(file.fd())) {
                assertTrue(first.tryLock(0));
                assertTrue(first.tryLock(64));
                assertFalse(second.tryLock(0));
            }
            assertTrue(second.tryLock(0));
            assertTrue(second.tryLock(64));
        }
    }
}
