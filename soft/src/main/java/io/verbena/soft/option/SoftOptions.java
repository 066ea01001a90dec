package io.verbena.soft.option;

import io.verbena.soft.fault.FaultPlan;
import io.verbena.verbs.DeviceOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/// Options of a software device, for [io.verbena.verbs.Rdma#openDevice(String, DeviceOptions)].
///
/// ```java
/// SoftOptions lossy = SoftOptions.defaults().path(SoftPath.UDP).faults(FaultPlan.none().withLoss(0.1));
/// try (Context context = Rdma.openDevice("127.0.0.1", lossy)) { ... }
/// ```
///
/// They hold for the device, not for one context: while it is open, contexts and connection ids of its address share
/// them. So open it with options first, then bind or resolve ids at its address.
///
/// @param path the path of reliable connections
/// @param faults the faults of packets; [FaultPlan#none] for none
/// @param capture the file that packets are written to; null for none
/// @param captureLimit the most bytes of that file
/// @param spin how long threads that wait spin before they sleep; null for the default of the path
/// @param offload which work on datagrams the system does
/// @param socket the kind of socket
/// @param shards the most shards of the device
public record SoftOptions(
        SoftPath path,
        FaultPlan faults,
        String capture,
        long captureLimit,
        Duration spin,
        Offload offload,
        SocketKind socket,
        int shards)
        implements DeviceOptions {
    /// Programs that want to spin longer should poll.
    static final Duration LONGEST_SPIN = Duration.ofSeconds(1);

    static final long USUAL_CAPTURE_LIMIT = 256L << 20;

    /// More processors than that hardly ever serve one device.
    private static final int MOST_USUAL_SHARDS = 8;

    /// An address has 64, for all its processes.
    static final int MOST_SHARDS = 32;

    static final SoftOptions USUAL = new SoftOptions(
            SoftPath.AUTO,
            FaultPlan.none(),
            null,
            USUAL_CAPTURE_LIMIT,
            null,
            Offload.ALL,
            SocketKind.BEST,
            Math.min(Runtime.getRuntime().availableProcessors(), MOST_USUAL_SHARDS));

    /// Refuses null, except for capture and spin, and values out of range.
    public SoftOptions {
        Objects.requireNonNull(path, "path is null");
        Objects.requireNonNull(faults, "faults is null");
        Objects.requireNonNull(offload, "offload is null");
        Objects.requireNonNull(socket, "socket is null");
        if (captureLimit < 0) {
            throw new IllegalArgumentException("captureLimit is " + captureLimit + "; give 0 or more bytes");
        }
        if (spin != null && (spin.isNegative() || spin.compareTo(LONGEST_SPIN) > 0)) {
            throw new IllegalArgumentException("spin is " + spin + "; give 0 to " + LONGEST_SPIN);
        }
        if (shards < 1 || shards > MOST_SHARDS) {
            throw new IllegalArgumentException("shards is " + shards + "; give 1 to " + MOST_SHARDS);
        }
    }

    /// The options of the system properties `verbena.soft.path`, `.faults`, `.capture`, `.capture.limit`, `.spin`,
    /// `.offload`, `.wire` and `.shards`, and defaults for those that are not set. EINVAL when one of them is wrong.
    public static SoftOptions defaults() {
        return SoftProperties.read();
    }

    @Override
    public String provider() {
        return "soft";
    }

    /// The path of reliable connections.
    public SoftOptions path(SoftPath path) {
        return new SoftOptions(path, faults, capture, captureLimit, spin, offload, socket, shards);
    }

    /// The faults of packets that this device sends and receives. With [SoftPath#AUTO] its connections then go over the
    /// network, since shared memory has no packets.
    public SoftOptions faults(FaultPlan faults) {
        return new SoftOptions(path, faults, capture, captureLimit, spin, offload, socket, shards);
    }

    /// Writes packets to a file that tcpdump and Wireshark read. In its name `%p` is the process id and `%a` the
    /// device's address.
    public SoftOptions capture(Path file) {
        return new SoftOptions(
                path,
                faults,
                Objects.requireNonNull(file, "the file is null").toString(),
                captureLimit,
                spin,
                offload,
                socket,
                shards);
    }

    /// The most bytes of the capture file; packets after that are not written.
    public SoftOptions captureLimit(long bytes) {
        return new SoftOptions(path, faults, capture, bytes, spin, offload, socket, shards);
    }

    /// How long threads that wait spin before they sleep, up to a second.
    public SoftOptions spin(Duration longest) {
        return new SoftOptions(path, faults, capture, captureLimit, longest, offload, socket, shards);
    }

    /// Which work on datagrams the system does.
    public SoftOptions offload(Offload offload) {
        return new SoftOptions(path, faults, capture, captureLimit, spin, offload, socket, shards);
    }

    /// The kind of socket.
    public SoftOptions socket(SocketKind socket) {
        return new SoftOptions(path, faults, capture, captureLimit, spin, offload, socket, shards);
    }

    /// The most shards: each has a socket, a thread and a lock of its own, so that threads that use different shards do
    /// not wait for each other. A completion queue gets one when its first queue pair is made, each in turn; its queue
    /// pairs belong to that shard. By default as many as there are processors, at most 8. A device has one where
    /// packets are captured or faults are injected, and where the system cannot share an address.
    public SoftOptions shards(int most) {
        return new SoftOptions(path, faults, capture, captureLimit, spin, offload, socket, most);
    }

    /// Whether a capture or faults are wanted, which need packets: then shared memory cannot be used.
    public boolean needsPackets() {
        return capture != null || !faults.equals(FaultPlan.none());
    }

    /// The name of the capture file for a device.
    public Optional<String> captureFile(String address) {
        return Optional.ofNullable(capture)
                .map(name -> name.replace(
                                "%p", Long.toString(ProcessHandle.current().pid()))
                        .replace("%a", address.replace(':', '-').replace('%', '-')));
    }
}
