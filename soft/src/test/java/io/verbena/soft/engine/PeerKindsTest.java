package io.verbena.soft.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PeerKindsTest {
    private static final long HIGH = 0;
    private static final long LOW = 0xFFFF_0A00_0001L;

    private final PeerKinds kinds = new PeerKinds();
    private final Random random = new Random(3);

    @Test
    void shouldKnowADeviceOfItsOwnKindByItsGuid() {
        assertFalse(kinds.isVerbena(HIGH, LOW));
        kinds.onGuid(PeerKinds.newGuid(random), HIGH, LOW);
        assertTrue(kinds.isVerbena(HIGH, LOW));
        assertFalse(kinds.isVerbena(HIGH, LOW + 1));
    }

    @Test
    void shouldForgetItWhenAnotherDeviceTakesTheAddress() {
        kinds.onGuid(PeerKinds.newGuid(random), HIGH, LOW);
        kinds.onGuid(0x5054_00FF_FE12_3456L, HIGH, LOW);
        assertFalse(kinds.isVerbena(HIGH, LOW));
    }

    @Test
    void shouldNotTakeAGuidMadeFromAMacAddressForItsOwn() {
        assertFalse(PeerKinds.isOurs(0x0256_42FF_FE12_3456L));
        assertFalse(PeerKinds.isOurs(0));
    }

    @Test
    void shouldMakeAnotherLocallyAdministeredGuidEachTime() {
        Set<Long> guids = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            long guid = PeerKinds.newGuid(random);
            assertTrue(PeerKinds.isOurs(guid));
            assertEquals(2, guid >>> 56 & 3);
            guids.add(guid);
        }
        assertEquals(1000, guids.size());
    }
}
