package io.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ErrorsTest {
    @Test
    void shouldKeepAnErrorNumberWithoutAName() {
        RdmaException error = new RdmaException("ibv_reg_mr", 133, "the driver refused", null);
        assertEquals(133, error.errnoNumber());
        assertEquals(Errno.OTHER, error.errno());
        assertTrue(error.getMessage().endsWith("(errno 133)"), error.getMessage());
    }

    @Test
    void shouldNameAKnownErrorNumber() {
        RdmaException error = new BadRequestException("post send", 2, 5, "the driver refused");
        assertEquals(Errno.EIO, error.errno());
        assertEquals(5, error.errnoNumber());
    }

    @Test
    void shouldTellThePlaceOfAnUnsupportedRequest() {
        var cause = new UnsupportedVerbException("soft0", "post FLUSH");
        var refused = new BadRequestException(3, cause);
        assertEquals(3, refused.index());
        assertEquals(Errno.EOPNOTSUPP, refused.errno());
        assertSame(cause, refused.getCause());
    }

    @Test
    void shouldCountTheLowByteOfAKeyOnly() {
        assertEquals(0x1234_5601, Keys.increment(0x1234_5600));
        assertEquals(0x1234_5600, Keys.increment(0x1234_56FF));
    }
}
