package io.verbena.soft.net;

import io.verbena.roce.packet.Icrc;
import io.verbena.soft.option.Offload;
import io.verbena.verbs.attr.Gid;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// The main class of a process in its own network namespace, whose interface splits trains: sends frames, receives
/// them, and prints their identifications, or the first packet whose ICRC does not match its header.
final class CutTrains {
    private static final int IDENTIFICATION_AT = 4;
    private static final int ICRC_BYTES = 4;
    private static final int SHARD_AT = 5;
    private static final int BTH_BYTES = 12;

    private CutTrains() {}

    public static void main(String[] lengths) {
        InetAddress here = Loopback.address("127.0.0.2");
        InetAddress there = Loopback.address("127.0.0.3");
        try (RawSocket raw = RawSocket.open(there);
                Wire sender = new LinuxWire(here, 4096, Offload.ALL);
                Wire receiver = new LinuxWire(there, 4096, Offload.ALL)) {
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
            System.out.println(identifications);
        }
    }

    private static void send(Wire wire, Gid from, Gid to, String[] lengths) {
        Random random = new Random(1);
        Icrc icrc = new Icrc();
        for (String text : lengths) {
            byte[] frame = new byte[Math.max(Integer.parseInt(text), BTH_BYTES + ICRC_BYTES)];
            random.nextBytes(frame);
            frame[SHARD_AT] = 0; // a train is for one shard
            int at = wire.claim();
            int end = at + frame.length - ICRC_BYTES;
            ByteBuffer bytes = wire.sendBytes().put(at, frame);
            int id = wire.identify(frame.length, to.high(), to.low(), Traffic.DEFAULT);
            int crc = icrc.compute(from.high(), from.low(), to.high(), to.low(), Wires.PORT, id, bytes, at, end);
            Icrc.store(bytes, end, crc);
            wire.commit(at, frame.length, to.high(), to.low(), Traffic.DEFAULT);
        }
        wire.flush();
    }
}
