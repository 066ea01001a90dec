package io.verbena.soft.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.attr.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// The ICRC covers the IP header's identification and flags, which a UDP socket neither shows nor sets: looks at
/// them through a raw socket, where that is allowed.
@EnabledOnOs(OS.LINUX)
class IpHeaderTest {
    private static final int RAW_NONBLOCK_CLOEXEC = 3 | 0x800 | 0x80000;
    private static final int UDP = 17;
    private static final int IDENTIFICATION_AT = 4;
    private static final int FLAGS_AT = 6;
    private static final int HOP_LIMIT_AT = 8;
    private static final int SOURCE_AT = 12;
    private static final List<BiFunction<InetAddress, Integer, Wire>> KINDS =
            List.of(IpHeaderTest::linux, UdpWire::new);
    private static final int DONT_FRAGMENT = 0x4000;

    private final InetAddress here = Loopback.next();
    private final InetAddress there = Loopback.next();
    private final MemorySegment state = Arena.ofAuto().allocate(Libc.stateLayout());
    private final MemorySegment packet = Arena.ofAuto().allocate(Wire.FRAME_BYTES);

    @Test
    void shouldNumberAllPacketsZeroOnLinuxWire() {
        checkHeaders(IpHeaderTest::linux);
    }

    @Test
    void shouldNumberAllPacketsZeroOnUdpWire() {
        checkHeaders(UdpWire::new);
    }

    private static Wire linux(InetAddress local, int maxPayload) {
        return new LinuxWire(local, maxPayload, Offload.ALL);
    }

    private void checkHeaders(BiFunction<InetAddress, Integer, Wire> kind) {
        int raw = openRaw(there);
        try (Wire sender = kind.apply(here, 4096);
                Wire receiver = kind.apply(there, 4096)) {
            Frames.send(sender, there, 0, 64);
            Frames.send(sender, there, 1, 4000);
            Frames.commit(sender, there, 2, 64);
            Frames.commit(sender, there, 3, 64);
            Frames.commit(sender, there, 4, 64);
            assertTrue(sender.flush());
            Frames.send(sender, there, 5, 64, Traffic.of(0xB8, 7, 0));
            new Frames().await(receiver, 6);
            for (int i = 0; i < 6; i++) {
                ByteBuffer header = nextFromHere(raw, i);
                assertEquals(0, header.getShort(IDENTIFICATION_AT), "identification of packet " + i);
                assertEquals(DONT_FRAGMENT, header.getShort(FLAGS_AT), "flags of packet " + i);
            }
        } finally {
            Libc.close(state, raw);
        }
    }

    @Test
    void shouldNumberPacketsToGroupZeroAndSetHopLimit() {
        InetAddress group =
                Loopback.address("239.77.3." + (ProcessHandle.current().pid() & 0xFF));
        int raw = openRaw(group);
        Gid gid = Gid.of(group);
        for (BiFunction<InetAddress, Integer, Wire> kind : KINDS) {
            try (Wire sender = kind.apply(here, 4096);
                    Wire receiver = kind.apply(there, 4096)) {
                receiver.join(gid.high(), gid.low());
                Frames.send(sender, group, 0, 64);
                new Frames().await(receiver, 1);
                ByteBuffer header = nextFromHere(raw, 0);
                assertEquals(0, header.getShort(IDENTIFICATION_AT), "identification");
                assertEquals(DONT_FRAGMENT, header.getShort(FLAGS_AT), "flags");
                assertEquals(Traffic.DEFAULT_HOP_LIMIT, header.get(HOP_LIMIT_AT), "hop limit");
            }
        }
        Libc.close(state, raw);
    }

    /// Until it is bound the raw socket hears all datagrams to this machine, also those of other programs.
    private ByteBuffer nextFromHere(int raw, int number) {
        byte[] source = new byte[4];
        ByteBuffer header = packet.asByteBuffer();
        while (!Arrays.equals(source, here.getAddress())) {
            int length = Libc.recvfrom(raw, packet.address(), packet.byteSize(), 0, 0, 0);
            assertTrue(length > 20, "packet " + number + ": " + length);
            header.get(SOURCE_AT, source);
        }
        return header;
    }

    private int openRaw(InetAddress destination) {
        SocketAddresses addresses = new SocketAddresses(destination);
        int raw = Libc.socket(state, addresses.family(), RAW_NONBLOCK_CLOEXEC, UDP);
        Assumptions.assumeTrue(raw >= 0, "raw sockets need a privilege");
        MemorySegment name = Arena.ofAuto().allocate(SocketAddresses.SLOT_BYTES, Long.BYTES);
        Gid gid = Gid.of(destination);
        addresses.prepare(name, 0, 0);
        addresses.write(name, 0, gid.high(), gid.low(), 0);
        assertEquals(0, Libc.bind(state, raw, name.address(), addresses.bytes()));
        return raw;
    }
}
