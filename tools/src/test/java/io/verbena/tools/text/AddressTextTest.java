package io.verbena.tools.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTextTest {
    @ParameterizedTest
    @ValueSource(strings = {"::1", "::", "fd00::2", "127.0.0.1", "0.0.0.0"})
    void shouldWriteAddressesAsPeopleDo(String text) {
        assertEquals(text, AddressText.of(InetAddress.ofLiteral(text)));
    }

    @Test
    void shouldKeepTheInterface() throws UnknownHostException {
        byte[] raw = InetAddress.ofLiteral("fe80::1").getAddress();
        assertEquals("fe80::1%7", AddressText.of(Inet6Address.getByAddress(null, raw, 7)));
    }
}
