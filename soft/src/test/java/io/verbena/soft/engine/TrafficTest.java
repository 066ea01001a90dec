package io.verbena.soft.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.roce.packet.Opcode;
import io.verbena.soft.net.Traffic;
import io.verbena.soft.rig.ScriptedPeer;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.attr.AddressVector;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The IP header fields that the address vector of a queue pair sets.
class TrafficTest {
    private static ScriptedPeer peer(int trafficClass, int hopLimit, int flowLabel) {
        InetAddress address = InetAddress.ofLiteral("10.0.0.66");
        AddressVector plain = AddressVector.to(address);
        AddressVector vector = new AddressVector(plain.destination(), 0, 1, trafficClass, hopLimit, flowLabel);
        return new ScriptedPeer(
                QueuePairChange.toRtr(vector, ScriptedPeer.PEER_QP, ScriptedPeer.PEER_PSN),
                QueuePairChange.toRts(ScriptedPeer.DEVICE_PSN));
    }

    @ParameterizedTest
    @CsvSource({"0,64,0", "184,1,0", "255,255,0xFFFFF", "3,17,0x12345"})
    void shouldSendRequestsAndAnswersAsTheAddressVectorSays(int trafficClass, int hopLimit, String label) {
        int flowLabel = Integer.decode(label);
        try (ScriptedPeer peer = peer(trafficClass, hopLimit, flowLabel)) {
            long expected = Traffic.of(trafficClass, hopLimit, flowLabel);
            peer.postSend(1, 8);
            peer.run();
            assertEquals(Opcode.RC_SEND_ONLY, peer.answers.getLast().opcode());
            assertEquals(expected, peer.traffic);
            peer.send(peer.request(Opcode.RC_RDMA_WRITE_ONLY, 0)
                    .reth(peer.memory.address(), peer.memory.rkey(), 8)
                    .payload(8)
                    .ackRequested());
            assertEquals(Opcode.RC_ACKNOWLEDGE, peer.answers.getLast().opcode());
            assertEquals(expected, peer.traffic);
        }
    }

    @Test
    void shouldTakeTheUsualHopLimitForNone() {
        try (ScriptedPeer peer = peer(0, 0, 0)) {
            peer.postSend(1, 8);
            peer.run();
            assertEquals(Traffic.DEFAULT, peer.traffic);
        }
    }
}
