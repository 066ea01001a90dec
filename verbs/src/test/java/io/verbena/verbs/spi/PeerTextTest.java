package io.verbena.verbs.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class PeerTextTest {
    private static InetSocketAddress at(String address) {
        return new InetSocketAddress(InetAddress.ofLiteral(address), 7471);
    }

    @Test
    void shouldSayAddressAndPort() {
        assertEquals("10.0.0.2:7471", PeerText.of(at("10.0.0.2")));
        assertEquals("[fd00:0:0:0:0:0:0:2]:7471", PeerText.of(at("fd00::2")));
    }

    @Test
    void shouldSayTheNameWhenTheAddressIsNotKnown() {
        assertEquals("nowhere:1", PeerText.of(InetSocketAddress.createUnresolved("nowhere", 1)));
    }

    @Test
    void shouldLeaveTheVerbAloneWhenThereIsNoPeer() {
        assertEquals("rdma_connect 10.0.0.2:7471", PeerText.verb("rdma_connect", at("10.0.0.2")));
        assertEquals("rdma_connect", PeerText.verb("rdma_connect", null));
    }
}
