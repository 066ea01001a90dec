package io.verbena.tools.perf;

import io.verbena.report.measure.UsageMeter;
import io.verbena.tools.device.PathSeen;
import io.verbena.tools.program.ProgramException;
import io.verbena.verbs.attr.QueuePairType;
import java.util.List;

/// One run with one peer, from the greeting on: agree on sizes, make the verbs objects, connect the queue
/// pairs, measure.
record PerfSession(
        PerfParameters parameters,
        PerfPort port,
        PeerChannel channel,
        Wiring wiring,
        Greeting peer,
        String peerAddress,
        SessionSettings settings,
        PerfListener listener) {
    private static final String LOSSES =
            ", or a message was lost: UC and UD do not send again; try RC, or less in flight (-t, -r)";

    void run() {
        Preamble agreed = Preamble.exchange(channel, parameters.mtu());
        boolean datagrams = parameters.transport() == QueuePairType.UD;
        if (datagrams && parameters.largestSize() > agreed.mtu().bytes()) {
            throw new ProgramException("the peer's MTU is " + agreed.mtu().bytes() + " bytes: datagrams of "
                    + parameters.largestSize() + " (-s) would be dropped");
        }
        var layout = new BufferLayout(
                parameters.largestSize(),
                agreed.cycle(),
                agreed.cacheLine(),
                parameters.queuePairs(),
                datagrams ? BufferLayout.DATAGRAM_PREFIX : 0);
        try (var endpoint = PerfEndpoint.open(parameters, port, agreed.mtu(), layout)) {
            var handshake = new Handshake(channel, endpoint, wiring);
            List<KeyLine> remote = handshake.connect(parameters.test());
            listener.started(describe(agreed, endpoint, remote));
            var path = PathSeen.from(port.context());
            try {
                measure(endpoint, handshake);
            } finally {
                listener.path(path.path());
            }
            wiring.disconnect();
        }
    }

    private void measure(PerfEndpoint endpoint, Handshake handshake) {
        MeasuringLoop loop = newLoop(endpoint);
        var phases = new PhaseRunner(parameters, channel, loop, settings, listener, new UsageMeter());
        if (peer.isVerbena()) {
            new VerbenaPhases(endpoint, phases).run();
        } else {
            new PerftestPhases(handshake, phases).run();
        }
    }

    private PerfRun describe(Preamble agreed, PerfEndpoint endpoint, List<KeyLine> remote) {
        var device = port.context().device();
        return new PerfRun(
                parameters,
                channel.isClient(),
                peer.isVerbena(),
                peer.version(),
                peerAddress,
                device.name(),
                device.provider(),
                port.gid() == null ? -1 : port.gid().index(),
                agreed.mtu().bytes(),
                endpoint.keyLines(),
                remote);
    }

    /// The loop of this side.
    private MeasuringLoop newLoop(PerfEndpoint endpoint) {
        boolean client = channel.isClient();
        boolean both = parameters.bidirectional();
        boolean lossy = parameters.transport() != QueuePairType.RC;
        var watch = new PeerWatch(channel, settings.patience(), lossy ? LOSSES : "");
        return switch (parameters.test()) {
            case SEND_LAT -> new SendLatency(endpoint, watch, client);
            case WRITE_LAT -> new WriteLatency(endpoint, watch, client);
            case READ_LAT, ATOMIC_LAT -> client ? new FetchLatency(endpoint, watch) : new PassiveSide(endpoint, watch);
            case SEND_BW ->
                client || both
                        ? new BandwidthSender(endpoint, watch, both, both && !client, peer.isVerbena())
                        : new Receiver(endpoint, watch);
            case WRITE_BW, READ_BW, ATOMIC_BW ->
                client || both
                        ? new BandwidthSender(endpoint, watch, false, false, true)
                        : new PassiveSide(endpoint, watch);
        };
    }
}
