package io.verbena.tools.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.RemoteBuffer;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The encoding of messages and private data.
class ExchangeFormatTest {
    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }

    @Test
    void shouldTellAKeyIn24Bytes() {
        var message = ExchangeMessage.mr(new RemoteBuffer(0x0000_7F12_3456_789AL, 1024, 0x8765_4321), 0xCAFE_BABE);
        byte[] bytes = new byte[ExchangeMessage.BYTES];
        message.write(MemorySegment.ofArray(bytes));
        assertEquals(
                "00000000" + "87654321" + "00007f123456789a" + "00000400" + "cafebabe",
                HexFormat.of().formatHex(bytes));
        assertEquals(message, ExchangeMessage.read(MemorySegment.ofArray(bytes)));
    }

    @Test
    void shouldSayDoneWithTypeOneAndZeros() {
        byte[] bytes = new byte[ExchangeMessage.BYTES];
        ExchangeMessage.done().write(MemorySegment.ofArray(bytes));
        assertEquals("00000001" + "0".repeat(40), HexFormat.of().formatHex(bytes));
    }

    @Test
    void shouldTellTheTermsIn16Bytes() {
        var terms = new ExchangeTerms(ExchangeMode.READ, 4096);
        byte[] bytes = terms.encode();
        assertEquals(
                "56424558" + "01" + "01" + "0000" + "0000000000001000",
                HexFormat.of().formatHex(bytes));
        byte[] arrived = Arrays.copyOf(bytes, 56); // the network fills private data up with zeros
        assertNull(ExchangeTerms.complaint(arrived));
        assertEquals(terms, ExchangeTerms.decode(arrived));
    }

    @ParameterizedTest
    @CsvSource({
        "'', another program",
        "0000000000000000 0000000000000000, another program",
        "56424558 02 00 0000 0000000000001000, version 2",
        "56424558 01 02 0000 0000000000001000, no mode 2",
        "56424558 01 ff 0000 0000000000001000, no mode -1",
        "56424558 01 00 0000 0000000000000000, size 0 is not within",
        "56424558 01 00 0000 0000000001000001, size 16777217 is not within",
        "56424558 01 00 0000 ffffffffffffffff, size 18446744073709551615 is not within",
    })
    void shouldComplainOfTermsThatCannotBe(String bytes, String complaint) {
        assertTrue(ExchangeTerms.complaint(hex(bytes)).contains(complaint), ExchangeTerms.complaint(hex(bytes)));
    }
}
