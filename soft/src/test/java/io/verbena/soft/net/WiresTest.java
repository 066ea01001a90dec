package io.verbena.soft.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.dump.PcapReader;
import io.verbena.roce.dump.PcapRecord;
import io.verbena.roce.dump.RocePacket;
import io.verbena.soft.fault.Fault;
import io.verbena.soft.option.SoftProperties;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class WiresTest {
    private final InetAddress here = Loopback.next();

    @AfterEach
    void clearProperties() {
        System.clearProperty(SoftProperties.SOCKET);
        System.clearProperty(SoftProperties.FAULTS);
        System.clearProperty(SoftProperties.OFFLOAD);
        System.clearProperty(SoftProperties.CAPTURE);
        System.clearProperty(SoftProperties.CAPTURE_LIMIT);
    }

    @Test
    @EnabledOnOs(
            value = OS.LINUX,
            architectures = {"amd64", "aarch64"})
    void shouldOpenLinuxWireUnlessToldOtherwise() {
        try (Wire wire = Wires.open(here)) {
            assertInstanceOf(LinuxWire.class, wire);
            assertEquals(here, wire.localAddress());
        }
        System.setProperty(SoftProperties.SOCKET, "nio");
        try (Wire wire = Wires.open(here)) {
            assertInstanceOf(UdpWire.class, wire);
        }
    }

    @Test
    void shouldRefuseWhatIsNotOneAddress() {
        assertEquals(Errno.EINVAL, openFailure(Loopback.address("0.0.0.0")).errno());
        assertEquals(Errno.EINVAL, openFailure(Loopback.address("224.0.0.1")).errno());
    }

    @Test
    void shouldExplainUnknownKind() {
        System.setProperty(SoftProperties.SOCKET, "pigeon");
        String text = openFailure(here).getMessage();
        assertTrue(text.contains("system property verbena.soft.wire: pigeon; say best, nio or linux"), text);
    }

    @Test
    void shouldExplainUnknownOffload() {
        System.setProperty(SoftProperties.SOCKET, "linux");
        System.setProperty(SoftProperties.OFFLOAD, "some");
        String text = openFailure(here).getMessage();
        assertTrue(text.contains("system property verbena.soft.offload: some; say none, send, receive or all"), text);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldLeaveToTheSystemWhatThePropertySays() {
        assertEquals(1, secondIdentification(""));
        assertEquals(1, secondIdentification("all"));
        assertEquals(1, secondIdentification("send"));
        assertEquals(0, secondIdentification("receive"));
        assertEquals(0, secondIdentification("none"));
    }

    private int secondIdentification(String offload) {
        System.setProperty(SoftProperties.SOCKET, "linux");
        System.setProperty(SoftProperties.OFFLOAD, offload);
        try (Wire wire = Wires.open(here)) {
            Frames.commit(wire, here, 0, 64);
            Gid to = Gid.of(here);
            return wire.identify(64, to.high(), to.low(), Traffic.DEFAULT);
        }
    }

    @Test
    void shouldRunUnderFaultsOfProperty() {
        System.setProperty(SoftProperties.FAULTS, "loss=1");
        try (Wire wire = Wires.open(here)) {
            Frames.send(wire, here, 1, 64);
            assertEquals(1, assertInstanceOf(FaultyWire.class, wire).counters().count(Fault.LOSS));
        }
    }

    @Test
    void shouldExplainBadFaultsAndLeaveAddressFree() {
        System.setProperty(SoftProperties.FAULTS, "loss=2");
        String text = openFailure(here).getMessage();
        assertTrue(text.contains("system property verbena.soft.faults: loss=2.0: a probability is from 0 to 1"), text);
        clearProperties();
        Wires.open(here).close();
    }

    @Test
    void shouldCaptureBothWays(@TempDir Path directory) throws IOException {
        InetAddress there = Loopback.next();
        System.setProperty(SoftProperties.CAPTURE, directory + "/%a-%p.pcap");
        try (Wire wire = Wires.open(here)) {
            System.clearProperty(SoftProperties.CAPTURE);
            try (Wire peer = Wires.open(there)) {
                Frames.send(wire, there, 1, 64);
                new Frames().await(peer, 1);
                Frames.send(peer, here, 2, 100);
                new Frames().await(wire, 1);
            }
        }
        Path file = directory.resolve(
                here.getHostAddress() + "-" + ProcessHandle.current().pid() + ".pcap");
        try (PcapReader reader = new PcapReader(file)) {
            PcapRecord sent = reader.next();
            assertEquals(28 + 64, sent.originalBytes());
            assertTrue(RocePacket.of(sent.ipPacket()).isIpv4());
            PcapRecord received = reader.next();
            assertEquals(28 + 100, received.originalBytes());
            assertTrue(received.timestampNs() >= sent.timestampNs());
            assertNull(reader.next());
        }
    }

    @Test
    void shouldStopCaptureAtLimit(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("small.pcap");
        System.setProperty(SoftProperties.CAPTURE, file.toString());
        System.setProperty(SoftProperties.CAPTURE_LIMIT, "1000");
        try (Wire wire = Wires.open(here)) {
            for (int psn = 0; psn < 50; psn++) {
                Frames.send(wire, here, psn, 64);
            }
            Frames frames = new Frames();
            frames.await(wire, 50);
            assertEquals(50, frames.received.size());
        }
        assertTrue(Files.size(file) > 500 && Files.size(file) <= 1000, "size " + Files.size(file));
    }

    @Test
    void shouldExplainCaptureThatCannotBeWritten(@TempDir Path directory) {
        System.setProperty(SoftProperties.CAPTURE, directory + "/absent/file.pcap");
        String text = openFailure(here).getMessage();
        assertTrue(text.contains("name one in a directory that exists"), text);
        clearProperties();
        Wires.open(here).close();
    }

    @Test
    void shouldFitPayloadToLink() {
        assertEquals(4096, LocalInterface.payload(here, "eth0", 4176));
        assertEquals(2048, LocalInterface.payload(here, "eth0", 4175));
        assertEquals(1024, LocalInterface.payload(here, "eth0", 1500));
        RdmaException small = assertThrows(RdmaException.class, () -> LocalInterface.payload(here, "eth0", 335));
        assertTrue(small.getMessage().contains("MTU of 335 bytes, RoCEv2 needs at least 336"), small.getMessage());
    }

    private static RdmaException openFailure(InetAddress local) {
        return assertThrows(RdmaException.class, () -> Wires.open(local));
    }
}
