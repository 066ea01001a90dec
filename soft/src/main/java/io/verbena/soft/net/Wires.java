package io.verbena.soft.net;

import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.os.NanoClock;
import java.net.InetAddress;
import java.util.Set;

/// Opens the wire of a local address: the best that the platform has, or the one that a system property names.
public final class Wires {
    /// `nio` or `linux` instead of the best.
    public static final String KIND_PROPERTY = "verbena.soft.wire";

    /// A [FaultPlan] in text, to run any program under faults.
    public static final String FAULTS_PROPERTY = "verbena.soft.faults";

    /// A file that all frames are written to, in the format of tcpdump and Wireshark; `%p` in its name is the
    /// process id and `%a` the device's address, which keep several devices apart.
    public static final String CAPTURE_PROPERTY = "verbena.soft.capture";

    /// The most bytes of that file; 256 MiB unless said.
    public static final String CAPTURE_LIMIT_PROPERTY = "verbena.soft.capture.limit";

    /// `none`, `send`, `receive` or `all`: what is left to the system, see [Offload]; `all` unless said.
    public static final String OFFLOAD_PROPERTY = "verbena.soft.offload";

    /// The UDP port of RoCEv2.
    public static final int PORT = 4791;

    /// One queue pair of a peer keeps over a hundred packets in flight; the usual 208 KiB do not hold them.
    static final int BUFFER_BYTES = 4 << 20;

    static final System.Logger LOG = System.getLogger("io.verbena.soft.net");

    /// Where the struct layouts of [LinuxWire] hold.
    private static final Set<String> KNOWN_ARCHITECTURES = Set.of("amd64", "x86_64", "aarch64");

    private Wires() {}

    /// @throws RdmaException EADDRINUSE when UDP port 4791 of the address is taken, EADDRNOTAVAIL when the address is
    ///     not of this host
    public static Wire open(InetAddress local) {
        if (local.isAnyLocalAddress() || local.isMulticastAddress()) {
            throw OpenFailure.notOneAddress(local);
        }
        FaultPlan faults = faults(local);
        Wire wire = captured(socket(local, LocalLink.maxPayload(local)));
        return faults == null ? wire : new FaultyWire(wire, faults, NanoClock.SYSTEM);
    }

    /// Captures inside the faults: the file shows what leaves.
    private static Wire captured(Wire wire) {
        try {
            CaptureFile file = CaptureOption.open(wire.localAddress());
            return file == null ? wire : new CapturingWire(wire, file);
        } catch (RuntimeException e) {
            wire.close();
            throw e;
        }
    }

    private static Wire socket(InetAddress local, int maxPayload) {
        String kind = System.getProperty(KIND_PROPERTY, "");
        return switch (kind) {
            case "nio" -> new UdpWire(local, maxPayload);
            case "linux" -> linux(local, maxPayload);
            case "" -> best(local, maxPayload);
            default ->
                throw OpenFailure.property(local, KIND_PROPERTY, kind + ": there is no such wire; say nio or linux");
        };
    }

    /// Whether nobody asked for packets to be seen or harmed on their way: then they need not be packets.
    public static boolean mayBypass() {
        return System.getProperty(FAULTS_PROPERTY, "").isBlank()
                && System.getProperty(CAPTURE_PROPERTY, "").isBlank();
    }

    private static FaultPlan faults(InetAddress local) {
        String text = System.getProperty(FAULTS_PROPERTY, "");
        try {
            return text.isBlank() ? null : FaultPlan.parse(text);
        } catch (IllegalArgumentException e) {
            throw OpenFailure.property(local, FAULTS_PROPERTY, e.getMessage());
        }
    }

    private static Offload offload(InetAddress local) {
        String name = System.getProperty(OFFLOAD_PROPERTY, "");
        Offload offload = Offload.of(name);
        if (offload == null) {
            throw OpenFailure.property(local, OFFLOAD_PROPERTY, name + ": say none, send, receive or all");
        }
        return offload;
    }

    private static Wire linux(InetAddress local, int maxPayload) {
        try {
            return new LinuxWire(local, maxPayload, offload(local));
        } catch (LinkageError | IllegalCallerException e) {
            throw OpenFailure.noNativeAccess(local, e);
        }
    }

    private static Wire best(InetAddress local, int maxPayload) {
        boolean linux = "Linux".equals(System.getProperty("os.name"));
        if (linux && KNOWN_ARCHITECTURES.contains(System.getProperty("os.arch"))) {
            try {
                return new LinuxWire(local, maxPayload, offload(local));
            } catch (LinkageError | IllegalCallerException e) {
                LOG.log(
                        System.Logger.Level.DEBUG,
                        "no native access, so datagram channels are used; allow it with"
                                + " --enable-native-access=io.verbena.soft",
                        e);
            }
        }
        return new UdpWire(local, maxPayload);
    }
}
