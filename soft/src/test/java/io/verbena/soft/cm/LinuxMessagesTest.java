package io.verbena.soft.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.verbena.roce.mad.CmMessage;
import io.verbena.roce.mad.CmRep;
import io.verbena.roce.mad.CmReq;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.spi.QueuePairTiming;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Messages of a Linux 6.1 kernel, captured between two of them while `rping` ran, meet this connection manager.
class LinuxMessagesTest {
    private static final CmReq REQ = (CmReq) message("""
            010702030000000000000002dcf070b20010000000000000b270f0dc000000000000000001061c06505400fffe000003
            00000000000000000000110100000001000000a0ce9514a7ffff37f0ffffffff00000000000000000000ffff0a4d0003
            00000000000000000000ffff0a4d00027674900000400098000000000000000000000000000000000000000000000000
            00000000000000000000000000000000000000000040c05d0000000000000000000000000a4d00030000000000000000
            000000000a4d0002
            """);
    private static final CmRep REP = (CmRep) message("""
            010702030000000000000002dcf070b200130000000000007fc3f1b8b270f0dc0000000000001100000000002046ef00
            010178e0505400fffe000002
            """);

    private static final Gid LINUX_CLIENT = new Gid(0, 0xFFFF_0A4D_0003L);
    private static final Gid LINUX_SERVER = new Gid(0, 0xFFFF_0A4D_0002L);

    /// The rest of the 256 bytes is zero.
    private static CmMessage message(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
        return CmMessage.decode(MemorySegment.ofArray(Arrays.copyOf(bytes, 256)), 0);
    }

    @Test
    void shouldTakeRequestOfLinux() {
        PortFacts here = new PortFacts(1, LINUX_SERVER, Mtu.MTU_4096, 16, 16, 15);
        assertNull(RequestCheck.check(REQ, RequestCheck.header(REQ), here, LINUX_CLIENT.high(), LINUX_CLIENT.low()));
        assertEquals(1, CmMessages.parametersOf(REQ).responderResources());
        assertEquals(56, CmMessages.parametersOf(REQ).privateData().length);
    }

    @Test
    void shouldSayTheSameAsLinuxButWithShorterTimeouts() {
        PortFacts linux = new PortFacts(REQ.localCaGuid(), LINUX_CLIENT, Mtu.MTU_1024, 16, 16, 15);
        LocalSettings settings = new LocalSettings(
                REQ.localQpn(), false, false, 1, 1, false, 7, 7, QueuePairTiming.DEFAULT, new byte[0], 1);
        ConnectTarget target = new ConnectTarget(LINUX_SERVER, REQ.serviceId(), RequestCheck.header(REQ), 0);
        CmReq ours = CmMessages.req(
                REQ.transactionId(), REQ.localCommId(), REQ.startingPsn(), Mtu.MTU_1024, target, settings, linux);
        assertEquals(18, ours.localCmResponseTimeout());
        assertEquals(16, ours.primaryPath().localAckTimeout());
        CmReq withTimeoutsOfLinux = ours.toBuilder()
                .localCmResponseTimeout(REQ.localCmResponseTimeout())
                .remoteCmResponseTimeout(REQ.remoteCmResponseTimeout())
                .primaryPath(
                        ours.primaryPath().withLocalAckTimeout(REQ.primaryPath().localAckTimeout()))
                .build();
        assertEquals(REQ, withTimeoutsOfLinux);
    }

    @Test
    void shouldConnectWhenLinuxReplies() {
        SimulatedCmNetwork network = new SimulatedCmNetwork(1);
        SimulatedCmNetwork.Node node = network.node(1);
        RecordingHandler client = new RecordingHandler();
        client.connect(node, network.node(2));
        CmRep reply = REP.toBuilder()
                .remoteCommId(client.connection.names().localId())
                .build();
        network.inject(reply, network.nodes.get(1).facts().gid().low(), node);
        network.run(SimulatedCmNetwork.MS);
        assertEquals(List.of(CmEventType.ESTABLISHED), client.types());
        assertEquals(REP.localQpn(), client.plan.destinationQp());
        assertEquals(REP.startingPsn(), client.plan.sendPsn());
        assertEquals(1, client.plan.maxReadAtomic());
        assertEquals(16, client.plan.ackTimeout());
    }
}
