package io.verbena.sockets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

class RuleListTest {
    private static InetSocketAddress at(String host, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(host), port);
    }

    @Test
    void shouldTakeTheFirstRuleThatFits() {
        RuleList rules = RuleList.parse(List.of(
                "# comment",
                "tcp *:22",
                "rdma 10.0.0.0/8:9092-9099",
                "  tcp 10.0.0.0/8 ",
                "rdma [2001:db8::]/32",
                "rdma ::1"));
        assertEquals(Transport.TCP, rules.of(at("10.1.2.3", 22)));
        assertEquals(Transport.RDMA, rules.of(at("10.1.2.3", 9095)));
        assertEquals(Transport.TCP, rules.of(at("10.1.2.3", 9100)));
        assertEquals(Transport.AUTO, rules.of(at("11.1.2.3", 9095)));
        assertEquals(Transport.RDMA, rules.of(at("2001:db8:1::5", 80)));
        assertEquals(Transport.AUTO, rules.of(at("2001:db9::5", 80)));
        assertEquals(Transport.RDMA, rules.of(at("::1", 80)));
    }

    @Test
    void shouldTakeARuleForEverything() {
        assertEquals(Transport.RDMA, RuleList.parse(List.of("rdma")).ofBind(at("127.0.0.1", 0)));
        assertEquals(Transport.AUTO, RuleList.parse(List.of("rdma *:80")).ofBind(at("127.0.0.1", 0)));
        assertEquals(Transport.AUTO, RuleList.parse(List.of()).of(at("127.0.0.1", 0)));
    }

    @Test
    void shouldSayWhatIsWrongWithARule() {
        for (String wrong : List.of("udp", "tcp host:80", "tcp 10.0.0.0/33", "tcp *:70000", "tcp * 80")) {
            IllegalArgumentException e =
                    assertThrows(IllegalArgumentException.class, () -> RuleList.parse(List.of(wrong)), wrong);
            assertTrue(e.getMessage().contains(wrong), e.getMessage());
        }
    }
}
