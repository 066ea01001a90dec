package io.verbena.rdmacore.lib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.spi.Availability;
import java.util.List;
import org.junit.jupiter.api.Test;

class LibrariesTest {
    @Test
    void shouldSayWhatToInstallWhenALibraryIsAbsent() {
        Availability absent = Libraries.probe("libnosuchthing.so.7", "install it", List.of());
        assertFalse(absent.isAvailable());
        assertEquals("unavailable: libnosuchthing.so.7 cannot be loaded; install it", absent.toString());
    }

    @Test
    void shouldSayThatALibraryIsTooOldWhenAFunctionIsMissing() {
        Availability old = Libraries.probe("libc.so.6", "install it", List.of("ibv_not_there"));
        assertFalse(old.isAvailable());
        assertTrue(old.cause().contains("ibv_not_there"), old.cause());
    }

    @Test
    void shouldRefuseOtherSystems() {
        assertTrue(Libraries.platform("Linux", "amd64", "").isAvailable());
        assertTrue(Libraries.platform("Linux", "aarch64", "").isAvailable());
        assertTrue(Libraries.platform("Mac OS X", "aarch64", "").cause().contains("Mac OS X"));
        assertTrue(Libraries.platform("Linux", "riscv64", "/jdk").cause().contains("riscv64"));
    }
}
