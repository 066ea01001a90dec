package io.verbena.verbs.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.ConnectionOption;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionOptionsTest {
    private static final String TIMEOUT = "verbena.connection.timeout";
    private static final String ACK_TIMEOUT = "verbena.connection.ackTimeout";
    private static final String RNR_TIMER = "verbena.connection.minRnrTimer";

    private static final String LIVENESS = "verbena.connection.liveness";

    @AfterEach
    void forgetProperties() {
        System.clearProperty(LIVENESS);
        System.clearProperty(TIMEOUT);
        System.clearProperty(ACK_TIMEOUT);
        System.clearProperty(RNR_TIMER);
    }

    @Test
    void shouldHaveShortTimersUnlessTold() {
        ConnectionOptions options = new ConnectionOptions();
        assertEquals(Duration.ofSeconds(5), options.timeout());
        assertEquals(16, options.timing().proposedAckTimeout());
        assertEquals(16, options.timing().ackTimeout(19));
        assertEquals(14, options.timing().ackTimeout(1));
        assertEquals(12, options.timing().minRnrTimer());
        assertEquals(Duration.ofSeconds(10), options.liveness());
    }

    @Test
    void shouldTakeTheProcessesDefaultsFromProperties() {
        System.setProperty(TIMEOUT, "30");
        System.setProperty(ACK_TIMEOUT, "18");
        System.setProperty(RNR_TIMER, "0");
        System.setProperty(LIVENESS, "0");
        ConnectionOptions options = new ConnectionOptions();
        assertEquals(Duration.ofSeconds(30), options.timeout());
        assertEquals(18, options.timing().proposedAckTimeout());
        assertEquals(18, options.timing().ackTimeout(14));
        assertEquals(0, options.timing().minRnrTimer());
        assertEquals(Duration.ZERO, options.liveness());
        options.set(ConnectionOption.ACK_TIMEOUT, 10);
        assertEquals(10, options.copy().timing().ackTimeout(14), "the program has the last word");
    }

    @ParameterizedTest
    @ValueSource(strings = {"32", "-1", "soon"})
    void shouldRefusePropertiesThatMakeNoSense(String text) {
        System.setProperty(ACK_TIMEOUT, text);
        RdmaException refused = assertThrows(RdmaException.class, ConnectionOptions::new);
        assertEquals(Errno.EINVAL, refused.errno());
        assertTrue(refused.getMessage().contains("-D" + ACK_TIMEOUT), refused.getMessage());
        assertTrue(refused.getMessage().contains("0 to 31"), refused.getMessage());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 86_401, Long.MAX_VALUE})
    void shouldRefuseTimeoutsThatMakeNoSense(long seconds) {
        ConnectionOptions options = new ConnectionOptions();
        RdmaException refused = assertThrows(RdmaException.class, () -> options.timeout(Duration.ofSeconds(seconds)));
        assertEquals(Errno.EINVAL, refused.errno());
        options.timeout(Duration.ofDays(1));
        assertEquals(Duration.ofDays(1), options.timeout());
    }
}
