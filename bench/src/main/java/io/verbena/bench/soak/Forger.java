package io.verbena.bench.soak;

import io.verbena.roce.header.Aeth;
import io.verbena.roce.header.Bth;
import io.verbena.roce.header.Deth;
import io.verbena.roce.header.Reth;
import io.verbena.roce.mad.AnsweredMessage;
import io.verbena.roce.mad.CmDreq;
import io.verbena.roce.mad.CmMessage;
import io.verbena.roce.mad.CmPath;
import io.verbena.roce.mad.CmRej;
import io.verbena.roce.mad.CmReq;
import io.verbena.roce.mad.CmRtu;
import io.verbena.roce.mad.CmaHeader;
import io.verbena.roce.mad.Mad;
import io.verbena.roce.mad.RejectReason;
import io.verbena.roce.mad.ServiceId;
import io.verbena.roce.packet.Icrc;
import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.RoceConstants;
import io.verbena.verbs.attr.Gid;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Random;

/// Sends forged packets from one address to the device of another.
final class Forger implements AutoCloseable {
    private static final int LONGEST = 4200;
    private static final int REMOTE_ACCESS_NAK = 0x62;
    private static final int NUMBERS = 1 << 24;
    private static final int MAD_AT = Bth.BYTES + Deth.BYTES;

    private final Random random;
    private final DatagramChannel socket;
    private final int port;
    private final InetSocketAddress victim;
    private final Gid from;
    private final Gid to;
    private final Icrc icrc = new Icrc();
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(LONGEST + RoceConstants.ICRC_BYTES);
    private final MemorySegment packet = MemorySegment.ofBuffer(bytes);

    Forger(String from, String victim, Random random) throws IOException {
        this.random = random;
        this.from = Gid.of(InetAddress.ofLiteral(from));
        this.victim = new InetSocketAddress(InetAddress.ofLiteral(victim), RoceConstants.UDP_PORT);
        to = Gid.of(this.victim.getAddress());
        socket = DatagramChannel.open(StandardProtocolFamily.INET)
                .bind(new InetSocketAddress(InetAddress.ofLiteral(from), 0));
        socket.configureBlocking(false);
        port = ((InetSocketAddress) socket.getLocalAddress()).getPort();
    }

    void randomBytes() {
        byte[] junk = new byte[random.nextInt(random.nextBoolean() ? 80 : LONGEST)];
        random.nextBytes(junk);
        bytes.clear().put(junk);
        send(junk.length);
    }

    void brokenChecksum(int qpNumber) {
        Bth.write(packet, 0, Opcode.RC_SEND_ONLY.code(), false, 0, qpNumber, true, random.nextInt(NUMBERS));
        seal(Bth.BYTES + 8, 1);
    }

    /// Sends a SEND, a WRITE or a NAK, with a correct checksum and a random sequence number.
    void request(int qpNumber) {
        int psn = random.nextInt(NUMBERS);
        switch (random.nextInt(3)) {
            case 0 -> {
                Bth.write(packet, 0, Opcode.RC_SEND_ONLY.code(), false, 0, qpNumber, true, psn);
                seal(Bth.BYTES + 8, 0);
            }
            case 1 -> {
                Bth.write(packet, 0, Opcode.RC_RDMA_WRITE_ONLY.code(), false, 0, qpNumber, true, psn);
                Reth.write(packet, Bth.BYTES, random.nextLong(), random.nextInt(), 8);
                seal(Bth.BYTES + Reth.BYTES + 8, 0);
            }
            default -> {
                Bth.write(packet, 0, Opcode.RC_ACKNOWLEDGE.code(), false, 0, qpNumber, false, psn);
                Aeth.write(packet, Bth.BYTES, REMOTE_ACCESS_NAK, 1);
                seal(Bth.BYTES + Aeth.BYTES, 0);
            }
        }
    }

    void unknownQueuePair() {
        request(random.nextInt(NUMBERS));
    }

    void connectionRequest(int service) {
        CmaHeader addresses = CmaHeader.of(random.nextInt(1024, 65_536), from.high(), from.low(), to.high(), to.low());
        manage(CmReq.builder()
                .transactionId(random.nextLong())
                .localCommId(random.nextInt())
                .serviceId(ServiceId.of(ServiceId.TCP, service))
                .localCaGuid(random.nextLong())
                .localQpn(16 + random.nextInt(NUMBERS - 16))
                .responderResources(1)
                .initiatorDepth(1)
                .startingPsn(random.nextInt(NUMBERS))
                .localCmResponseTimeout(18)
                .remoteCmResponseTimeout(18)
                .retryCount(7)
                .rnrRetryCount(7)
                .pathMtu(3)
                .primaryPath(CmPath.between(from.high(), from.low(), to.high(), to.low())
                        .withLocalAckTimeout(16))
                .privateData(addresses.encode())
                .build());
    }

    /// Sends a connection manager message about a connection that does not exist.
    void otherConnectionMessage() {
        manage(
                switch (random.nextInt(3)) {
                    case 0 ->
                        new CmDreq(random.nextLong(), random.nextInt(), random.nextInt(), random.nextInt(NUMBERS));
                    case 1 -> new CmRtu(random.nextLong(), random.nextInt(), random.nextInt());
                    default ->
                        new CmRej(
                                random.nextLong(),
                                random.nextInt(),
                                random.nextInt(),
                                AnsweredMessage.REQ,
                                RejectReason.CONSUMER_REJECT);
                });
    }

    private void manage(CmMessage message) {
        Bth.write(packet, 0, Opcode.UD_SEND_ONLY.code(), false, 0, RoceConstants.GSI_QP, false, 0);
        Deth.write(packet, Bth.BYTES, RoceConstants.GSI_QKEY, RoceConstants.GSI_QP);
        message.encode(packet, MAD_AT);
        seal(MAD_AT + Mad.BYTES, 0);
    }

    /// Adds the checksum, which is wrong unless `error` is 0, and sends.
    private void seal(int length, int error) {
        bytes.clear();
        int sum = icrc.compute(from.high(), from.low(), to.high(), to.low(), port, 0, bytes, 0, length);
        Icrc.store(bytes, length, sum ^ error);
        send(length + RoceConstants.ICRC_BYTES);
    }

    /// A full buffer or a missing device does not matter to a forger.
    private void send(int length) {
        bytes.clear().limit(length);
        try {
            socket.send(bytes, victim);
        } catch (IOException refused) {
            // see above
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
