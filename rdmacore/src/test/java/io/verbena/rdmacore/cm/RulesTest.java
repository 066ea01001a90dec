package io.verbena.rdmacore.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionOption;
import io.verbena.verbs.spi.CmEventText;
import io.verbena.verbs.spi.ConnectionOptions;
import io.verbena.verbs.spi.QueuePairTiming;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RulesTest {
    @ParameterizedTest
    @CsvSource({
        "TYPE_OF_SERVICE, 0, 1, 255",
        "REUSE_ADDRESS, 1, 4, 1",
        "IPV6_ONLY, 2, 4, 1",
        "ACK_TIMEOUT, 3, 1, 31",
    })
    void shouldKnowOptionsAsLibrdmacmDoes(ConnectionOption option, int number, int bytes, int largest) {
        assertEquals(new LibraryOption(number, bytes), LibraryOption.of(option));
        ConnectionOptions.check(option, largest);
        assertThrows(RdmaException.class, () -> ConnectionOptions.check(option, largest + 1));
    }

    @Test
    void shouldKeepWhatTheLibraryDoesNotKnowToItself() {
        assertNull(LibraryOption.of(ConnectionOption.MIN_RNR_TIMER));
        assertNull(LibraryOption.of(ConnectionOption.LIVENESS));
    }

    @ParameterizedTest
    @EnumSource(ConnectionOption.class)
    void shouldRefuseOptionValuesOutOfRange(ConnectionOption option) {
        for (int value : new int[] {-1, 86_401}) {
            RdmaException e = assertThrows(RdmaException.class, () -> ConnectionOptions.check(option, value));
            assertEquals(Errno.EINVAL, e.errno());
            assertTrue(e.getMessage().contains(option.name()), e.getMessage());
        }
    }

    @Test
    void shouldGiveRequestsTheOptionsOfTheirListener() {
        ConnectionOptions listener = new ConnectionOptions();
        listener.set(ConnectionOption.ACK_TIMEOUT, 15);
        listener.timeout(Duration.ofSeconds(1));
        ConnectionOptions request = listener.copy();
        listener.set(ConnectionOption.ACK_TIMEOUT, 16);
        assertEquals(15, request.get(ConnectionOption.ACK_TIMEOUT));
        assertEquals(ConnectionOptions.UNSET, request.get(ConnectionOption.MIN_RNR_TIMER));
        assertEquals(Duration.ofSeconds(1), request.timeout());
        assertThrows(RdmaException.class, () -> request.timeout(Duration.ZERO));
    }

    @Test
    void shouldUseShorterTimersThanLinuxUnlessTold() {
        QueuePairTiming usual = new QueuePairTiming(ConnectionOptions.UNSET, ConnectionOptions.UNSET);
        assertEquals(16, usual.ackTimeout(19));
        assertEquals(16, usual.ackTimeout(0));
        assertEquals(14, usual.ackTimeout(8));
        assertEquals(15, usual.ackTimeout(15));
        assertEquals(12, usual.minRnrTimer());
        QueuePairTiming told = new QueuePairTiming(0, 0);
        assertEquals(0, told.ackTimeout(19));
        assertEquals(0, told.minRnrTimer());
    }

    @Test
    void shouldSayWhatLiesBehindAFailure() {
        assertTrue(CmEventText.of(CmEventType.REJECTED, 8, "").contains("start the server first"));
        assertTrue(CmEventText.of(CmEventType.REJECTED, 28, "").contains("application"));
        assertEquals("reason 99", CmEventText.of(CmEventType.REJECTED, 99, ""));
        assertTrue(CmEventText.of(CmEventType.UNREACHABLE, -110, "").contains("does not answer"));
        assertTrue(CmEventText.of(CmEventType.ADDRESS_ERROR, -19, "").contains("no RDMA device"));
        assertTrue(CmEventText.of(CmEventType.ADDRESS_ERROR, -4242, "").contains("-4242"));
        assertTrue(CmEventText.of(CmEventType.DISCONNECTED, -110, "").contains("does not answer"));
        assertEquals("", CmEventText.of(CmEventType.DISCONNECTED, 0, ""));
        assertEquals("", CmEventText.of(CmEventType.ESTABLISHED, 0, ""));
        assertEquals("this", CmEventText.of(CmEventType.CONNECT_ERROR, -22, "this"));
    }

    @Test
    void shouldFindTheNextDeadlineAndForgetCancelledOnes() {
        Deadlines<String> deadlines = new Deadlines<>();
        long start = Long.MAX_VALUE - 5; // the clock wraps soon
        deadlines.set("late", start + 20);
        deadlines.set("soon", start + 10);
        deadlines.set("also soon", start + 10);
        deadlines.set("never", start + 1);
        deadlines.cancel("never");
        assertEquals(OptionalLong.of(start + 10), deadlines.earliest());
        assertNull(deadlines.takeExpired(start + 9));
        assertEquals("soon", deadlines.takeExpired(start + 10));
        assertEquals("also soon", deadlines.takeExpired(start + 10));
        assertNull(deadlines.takeExpired(start + 10));
        deadlines.set("late", start + 30);
        assertNull(deadlines.takeExpired(start + 29));
        assertEquals(OptionalLong.of(start + 30), deadlines.get("late"));
        assertEquals("late", deadlines.takeExpired(start + 31));
        assertEquals(OptionalLong.empty(), deadlines.earliest());
    }

    @Test
    void shouldGiveTheKernelWholeMilliseconds() {
        assertEquals(1, IdCalls.milliseconds(Duration.ZERO));
        assertEquals(2, IdCalls.milliseconds(Duration.ofNanos(1_000_001)));
        assertEquals(2000, IdCalls.milliseconds(Duration.ofSeconds(2)));
        assertEquals(Integer.MAX_VALUE, IdCalls.milliseconds(Duration.ofDays(1000)));
    }
}
