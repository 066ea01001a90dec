package io.verbena.bench.ours;

import io.verbena.bench.side.Child;
import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.RunResult;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// Verbena over shared memory on devices with [Neighbours]. Their UDP peer is a third process, which sends only while
/// this contestant is measured.
final class MixedDevice extends SharedMemory {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final String address;
    private volatile Child udpPeer;

    /// @param address the address of the UDP peer in the profile
    MixedDevice(Profile profile, String address) {
        super(profile);
        this.address = address;
    }

    @Override
    public void open() throws Exception {
        udpPeer = Child.java(name() + " UDP peer", Ours.path("udp"), UdpPeer.class, List.of(address));
        udpPeer.await("listening", LIMIT);
        super.open();
    }

    @Override
    public RunResult exchange(Measurement measurement, long messages) throws IOException, InterruptedException {
        Child peer = udpPeer;
        peer.send("go");
        peer.await("going", LIMIT);
        RunResult result = super.exchange(measurement, messages);
        peer.send("pause");
        peer.await("paused", LIMIT);
        return result;
    }

    @Override
    public String remark() {
        return "beside the measured connection each device has a queue pair in RESET, a datagram queue pair,"
                + " and a connection over UDP with a message every 10 ms";
    }

    @Override
    public void close() {
        super.close();
        Child peer = udpPeer;
        if (peer != null) {
            peer.close();
        }
    }
}
