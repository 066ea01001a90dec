package io.verbena.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.dump.PcapReader;
import io.verbena.roce.dump.PcapRecord;
import io.verbena.roce.dump.RocePacket;
import io.verbena.roce.packet.Icrc;
import io.verbena.roce.packet.Opcode;
import io.verbena.soft.device.SoftDevice;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.option.SoftProperties;
import io.verbena.soft.rig.LoopbackPair;
import io.verbena.verbs.attr.Mtu;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Other tools recognise the device's packets as RoCEv2: tshark, if installed, reads a captured run.
class CaptureTest {
    private static final int LONG_SECONDS = 60;

    @AfterAll
    static void giveBackLoopback() throws IOException {
        Loopback.releaseSix();
    }

    private static List<String> tshark(Path file, String... arguments) throws IOException, InterruptedException {
        Path output = file.resolveSibling("tshark.txt");
        // Without the dissector that guesses at payloads: ours are no RPC, whatever they look like.
        List<String> command = Stream.concat(
                        Stream.of("tshark", "-n", "--disable-protocol", "rpcordma", "-r", file.toString()),
                        Stream.of(arguments))
                .toList();
        Process process = new ProcessBuilder(command)
                .redirectOutput(output.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertTrue(process.waitFor(LONG_SECONDS, TimeUnit.SECONDS), "tshark does not end");
        assertEquals(0, process.exitValue(), command::toString);
        return Files.readAllLines(output);
    }

    private static void requireTshark() throws InterruptedException {
        try {
            Process version = new ProcessBuilder("tshark", "--version")
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            Assumptions.assumeTrue(version.waitFor(LONG_SECONDS, TimeUnit.SECONDS), "tshark does not answer");
        } catch (IOException absent) {
            Assumptions.abort("tshark is not installed: nobody here reads the packets but ourselves");
        }
    }

    private static void runEveryOperation(InetAddress left, InetAddress right) {
        try (LoopbackPair pair = new LoopbackPair(left, right, 1 << 20, Mtu.MTU_1024)) {
            for (int i = 0; i < 6; i++) {
                pair.right.receive(i, 0, 1 << 19);
            }
            long at = pair.right.memory.address();
            int key = pair.right.memory.rkey();
            int done = 0;
            for (int size : new int[] {5, 5000}) {
                pair.left.send(1, 0, size);
                pair.left.post(pair.left.request(2).sendWithImmediate(7).from(pair.left.memory, 0, size));
                pair.left.write(3, 0, size, 0);
                pair.left.post(
                        pair.left.request(4).writeWithImmediate(at, key, 9).from(pair.left.memory, 0, size));
                pair.left.read(5, 0, size, 0);
                done += 5;
                pair.expect(pair.left, done);
            }
        }
    }

    @Test
    void shouldSendPacketsThatTsharkReadsWithoutComplaint(@TempDir Path folder) throws Exception {
        requireTshark();
        checkCaptures(folder, Loopback.next(), Loopback.next(), 2);
    }

    @Test
    void shouldSendIpv6PacketsThatTsharkReadsWithoutComplaint(@TempDir Path folder) throws Exception {
        requireTshark();
        InetAddress six = freeIpv6Loopback();
        checkCaptures(folder, six, six, 1);
    }

    /// Reads with our own decoder: every packet is IPv6 with a right ICRC.
    @Test
    void shouldCaptureSoundIpv6Packets(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("six.pcap");
        InetAddress six = freeIpv6Loopback();
        System.setProperty(SoftProperties.CAPTURE, file.toString());
        try {
            runEveryOperation(six, six);
        } finally {
            System.clearProperty(SoftProperties.CAPTURE);
        }
        int count = 0;
        try (PcapReader reader = new PcapReader(file)) {
            for (PcapRecord record = reader.next(); record != null; record = reader.next()) {
                byte[] packet = record.ipPacket();
                assertFalse(RocePacket.of(packet).isIpv4());
                assertEquals(Icrc.received(packet), Icrc.ofPacket(packet), "ICRC of packet " + count);
                count++;
            }
        }
        assertTrue(count > 50, count + " packets");
    }

    /// Closed connections of other tests keep the device open for a while.
    private static InetAddress freeIpv6Loopback() {
        InetAddress six = Loopback.six();
        SoftDevice device = (SoftDevice) new SoftProvider().device("::1").orElseThrow();
        for (int i = 0; i < 300 && device.isOpen(); i++) {
            LockSupport.parkNanos(100_000_000);
        }
        assertFalse(device.isOpen(), "the device of ::1 stays open");
        return six;
    }

    private static void checkCaptures(Path folder, InetAddress left, InetAddress right, int files) throws Exception {
        Path file = folder.resolve("run-%a.pcap");
        System.setProperty(SoftProperties.CAPTURE, file.toString());
        try {
            runEveryOperation(left, right);
        } finally {
            System.clearProperty(SoftProperties.CAPTURE);
        }
        Set<Integer> opcodes = new TreeSet<>();
        List<Path> captures;
        try (Stream<Path> found = Files.list(folder)) {
            captures = found.filter(path -> path.toString().endsWith(".pcap")).toList();
        }
        assertEquals(files, captures.size());
        for (Path capture : captures) {
            List<String> packets = tshark(
                    capture,
                    "-T",
                    "fields",
                    "-e",
                    "_ws.malformed",
                    "-e",
                    "_ws.expert.message",
                    "-e",
                    "infiniband.bth.opcode");
            assertFalse(packets.isEmpty());
            for (String packet : packets) {
                String[] fields = packet.split("\t", -1);
                assertEquals("", fields[0], "malformed: " + packet);
                assertEquals("", fields[1], "expert information: " + packet);
                opcodes.add(Integer.decode(fields[2]));
            }
            assertEquals(List.of(), tshark(capture, "-Y", "!infiniband"), "packets that are no RoCEv2");
            assertEquals(
                    List.of(),
                    tshark(capture, "-Y", "_ws.expert.severity >= 0x600000 || _ws.malformed"),
                    "packets tshark warns of");
        }
        for (Opcode expected : List.of(
                Opcode.RC_SEND_FIRST,
                Opcode.RC_SEND_ONLY_WITH_IMMEDIATE,
                Opcode.RC_RDMA_WRITE_LAST_WITH_IMMEDIATE,
                Opcode.RC_RDMA_READ_REQUEST,
                Opcode.RC_RDMA_READ_RESPONSE_MIDDLE,
                Opcode.RC_ACKNOWLEDGE)) {
            assertTrue(opcodes.contains(expected.code()), expected + " in " + opcodes);
        }
    }
}
