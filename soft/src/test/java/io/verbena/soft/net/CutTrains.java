package io.verbena.soft.net;

import io.verbena.roce.packet.Icrc;
import io.verbena.verbs.attr.Gid;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// The main class of a process in a network of its own, whose interface cuts trains: sends frames, looks at what
/// arrives, and prints the identifications, or the first packet whose ICRC is not that of its own header.
final class CutTrains {
    private static final int IDENTIFICATION_AT = 4;
    private static final int ICRC_BYTES = 4;
    private static final int BTH_BYTES = 12;

    private CutTrains() {}

    public static void main(String[] lengths) {
        InetAddress here = Loopback.address("127.0.0.2");
        InetAddress there = Loopback.address("127.0.0.3");
        try (RawSocket raw = RawSocket.open(there);
                Wire sender = new LinuxWire(here, 4096, Offload.ALL);
                Wire receiver = new LinuxWire(there, 4096, Offload.ALL)) {
            if (Boolean.getBoolean("many")) {
                warmUp(sender, here, there, receiver);
                while (raw.next(here) != null) {}
            }
            send(sender, Gid.of(here), Gid.of(there), lengths);
            new Frames().await(receiver, lengths.length);
            List<Integer> identifications = new ArrayList<>();
            for (byte[] packet = raw.next(here); packet != null; packet = raw.next(here)) {
                if (Icrc.ofPacket(packet) != Icrc.received(packet)) {
                    System.out.println("packet " + identifications.size() + " has a wrong ICRC");
                    return;
                }
                identifications.add(Short.toUnsignedInt(ByteBuffer.wrap(packet).getShort(IDENTIFICATION_AT)));
            }
            int first = identifications.getFirst();
            System.out.println(
                    identifications.stream().map(id -> id - first & 0xFFFF).toList());
        }
    }

    /// Until the destination has a socket of its own.
    private static void warmUp(Wire sender, InetAddress here, InetAddress there, Wire receiver) {
        Frames taken = new Frames();
        for (int i = 1; i < ConnectedSockets.FRAMES; i++) {
            send(sender, Gid.of(here), Gid.of(there), new String[] {"64"});
            taken.await(receiver, i);
        }
    }

    private static void send(Wire wire, Gid from, Gid to, String[] lengths) {
        Random random = new Random(1);
        Icrc icrc = new Icrc();
        for (String text : lengths) {
            byte[] frame = new byte[Math.max(Integer.parseInt(text), BTH_BYTES + ICRC_BYTES)];
            random.nextBytes(frame);
            int at = wire.claim();
            int end = at + frame.length - ICRC_BYTES;
            ByteBuffer bytes = wire.sendBytes().put(at, frame);
            int id = wire.identify(frame.length, to.high(), to.low(), Traffic.DEFAULT);
            int crc = icrc.compute(from.high(), from.low(), to.high(), to.low(), wire.sourcePort(), id, bytes, at, end);
            Icrc.store(bytes, end, crc);
            wire.commit(at, frame.length, to.high(), to.low());
        }
        wire.flush();
    }
}
