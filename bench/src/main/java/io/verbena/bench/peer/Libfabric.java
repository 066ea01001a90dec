package io.verbena.bench.peer;

import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Measurement.Kind;
import io.verbena.bench.side.Measurement.Operation;
import io.verbena.bench.side.Measurement.Waiting;
import io.verbena.bench.side.Names;
import io.verbena.bench.side.Network;
import io.verbena.bench.side.RunResult;
import io.verbena.bench.side.Sizes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// libfabric, by its own `fi_pingpong`: ping-pong and the mean of all. Messages are copied into the program's buffer,
/// so they count as read.
final class Libfabric extends ProgramContestant {
    private static final String PROGRAM = "fi_pingpong";
    private static final String REMEDY = "apt install libfabric-bin";
    /// The layer for reliable messages over UDP takes seconds for larger messages.
    private static final int LARGEST_OVER_UDP = Sizes.MIB;

    private static final int LARGEST = 16 * Sizes.MIB;

    private final List<String> options;
    private final int largest;

    private Libfabric(String name, String provider, String endpoint, int largest, Network network) {
        super(
                name,
                PROGRAM,
                REMEDY,
                Map.of("FI_TCP_IFACE", network.device(), "FI_UDP_IFACE", network.device()),
                network);
        this.options = List.of("-p", provider, "-e", endpoint);
        this.largest = largest;
    }

    static Libfabric shm() {
        return new Libfabric(Names.LIBFABRIC_SHM, "shm", "rdm", LARGEST, Network.LOOPBACK);
    }

    static Libfabric tcp(Network network) {
        return new Libfabric(Names.LIBFABRIC_TCP, "tcp", "msg", LARGEST, network);
    }

    static Libfabric rxd(Network network) {
        return new Libfabric(Names.LIBFABRIC_RXD, "udp;ofi_rxd", "rdm", LARGEST_OVER_UDP, network);
    }

    @Override
    public boolean can(Measurement m) {
        return m.operation() == Operation.SEND
                && (m.kind() == Kind.ROUND_TRIP || m.kind() == Kind.STREAM)
                && m.waiting() == Waiting.SPIN
                && m.read()
                && m.size() <= largest;
    }

    @Override
    Arguments arguments(Measurement measurement, long iterations, int port) {
        List<String> common = new ArrayList<>(options);
        common.addAll(List.of("-I", Long.toString(iterations), "-S", Integer.toString(measurement.size())));
        List<String> server = new ArrayList<>(common);
        server.addAll(List.of("-B", Integer.toString(port)));
        List<String> client = new ArrayList<>(common);
        client.addAll(List.of("-P", Integer.toString(port), serverAddress()));
        return new Arguments(server, client);
    }

    @Override
    Outcome outcome(Measurement measurement, List<String> output) throws IOException {
        PingPongTable table = PingPongTable.parse(output);
        if (table.bytes() != measurement.size()) {
            throw new IOException(PROGRAM + " measured " + table.bytes() + " bytes, not " + measurement.size());
        }
        double transferNs = table.transferUs() * 1e3;
        double roundTripNs = 2 * transferNs;
        return measurement.kind() == Kind.STREAM
                ? new Outcome(RunResult.rate(measurement.size(), 1, transferNs), roundTripNs, 2)
                : new Outcome(RunResult.latency(roundTripNs, Double.NaN, roundTripNs), roundTripNs, 1);
    }

    @Override
    public String remark() {
        return PROGRAM + " " + Programs.version(List.of("fi_info", "--version"))
                + ", two processes; it tells the mean only, which stands for the median too;"
                + " its bandwidth is the rate of a ping-pong, one message at a time";
    }
}
