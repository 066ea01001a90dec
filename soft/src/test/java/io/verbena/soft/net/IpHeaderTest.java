package io.verbena.soft.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.option.Offload;
import io.verbena.verbs.attr.Gid;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// The ICRC covers the IP header's identification and flags, which a UDP socket neither shows nor sets. This test reads
/// them through a raw socket, where that is allowed.
@EnabledOnOs(OS.LINUX)
class IpHeaderTest {
    private static final int IDENTIFICATION_AT = 4;
    private static final int FLAGS_AT = 6;
    private static final int HOP_LIMIT_AT = 8;
    private static final List<BiFunction<InetAddress, Integer, Wire>> KINDS =
            List.of(IpHeaderTest::linux, UdpWire::new);
    private static final int DONT_FRAGMENT = 0x4000;

    private final InetAddress here = Loopback.next();
    private final InetAddress there = Loopback.next();

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
        try (RawSocket raw = openRaw(there);
                Wire sender = kind.apply(here, 4096);
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
        }
    }

    @Test
    void shouldNumberPacketsToGroupZeroAndSetHopLimit() {
        InetAddress group =
                Loopback.address("239.77.3." + (ProcessHandle.current().pid() & 0xFF));
        RawSocket raw = openRaw(group);
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
        raw.close();
    }

    private ByteBuffer nextFromHere(RawSocket raw, int number) {
        byte[] packet = raw.next(here);
        assertNotNull(packet, "packet " + number);
        return ByteBuffer.wrap(packet);
    }

    private static RawSocket openRaw(InetAddress destination) {
        RawSocket raw = RawSocket.open(destination);
        Assumptions.assumeTrue(raw != null, "raw sockets need a privilege");
        return raw;
    }

    /// In a network namespace whose interface does not support segmentation offload, so that the kernel splits
    /// datagrams.
    @Test
    void shouldNumberTheFramesOfATrainAsItsIcrcsSay() throws IOException, InterruptedException {
        assertEquals("[0, 1, 2, 3, 0, 1, 0, 1, 2]", cutTrains());
    }

    private static String cutTrains() throws IOException, InterruptedException {
        String path = Stream.of(
                        System.getProperty("jdk.module.path"),
                        System.getProperty("java.class.path"),
                        Path.of("target", "test-classes").toString())
                .filter(part -> part != null && !part.isBlank())
                .collect(Collectors.joining(File.pathSeparator));
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        "unshare",
                        "--net",
                        "sh",
                        "-c",
                        "ip link set lo gso_max_segs 1 up || exit 77; exec \"$@\"",
                        "sh",
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        path,
                        CutTrains.class.getName(),
                        "1040",
                        "1040",
                        "1040",
                        "100",
                        "4116",
                        "4112",
                        "4112",
                        "4112",
                        "16")
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        Assumptions.assumeTrue(process.exitValue() != 77 && !output.startsWith("unshare:"), "no privilege: " + output);
        return output.strip();
    }
}
