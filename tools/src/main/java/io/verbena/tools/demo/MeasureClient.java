package io.verbena.tools.demo;

import io.verbena.tools.device.PathSeen;
import io.verbena.tools.plain.DatagramStream;
import io.verbena.tools.plain.TcpPingPong;
import io.verbena.tools.program.ProgramException;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.HdrHistogram.Histogram;

/// The client of the measurements. Verbena and plain sockets take turns in the same two processes, so that the machine
/// is in the same condition for both.
final class MeasureClient implements AutoCloseable {
    private static final long LONGEST_NS = 20_000_000_000L;
    // limit of a round when other programs keep the processors busy
    private static final long ROUND_NS = 500_000_000;
    private static final int WARM_UP_ROUND_TRIPS = 1_000;

    private final PeerOptions options;
    private final Report report;
    private final Link link;
    private final PathSeen path;

    MeasureClient(ConnectionId id, PeerOptions options, Report report) {
        this.options = options;
        this.report = report;
        this.link = new Link(id, report);
        link.connect(ConnectionParameters.DEFAULT);
        this.path = PathSeen.from(id.context());
    }

    /// A few round trips only, for a packet trace.
    void sample() {
        pingPong(options.roundTrips(), newHistogram());
        end();
    }

    void run() throws IOException {
        measureRoundTrips();
        measureStream();
        end();
    }

    private void end() {
        report.send(Report.Kind.PATH, path.path());
        link.ask(Command.END, 0, 0);
        link.disconnect();
    }

    private InetAddress server() {
        return link.id().peerAddress().getAddress();
    }

    // ---- round trips ----

    private void measureRoundTrips() throws IOException {
        int port = (int) link.ask(Command.TCP_OPEN, 0, 0);
        try (var tcp =
                TcpPingPong.connect(new InetSocketAddress(server(), port), Link.MESSAGE_BYTES, Patience.ANSWER)) {
            report.step("ping-pong, warm-up");
            long end = System.nanoTime() + options.warmUpNs();
            while (System.nanoTime() - end < 0) {
                pingPong(WARM_UP_ROUND_TRIPS, newHistogram());
                tcpPingPong(tcp, WARM_UP_ROUND_TRIPS, newHistogram());
            }
            report.step("ping-pong");
            report.event(
                    "%d x %,d round trips of %d-byte SENDs",
                    options.rounds(), options.roundTrips(), Link.MESSAGE_BYTES);
            for (int round = 0; round < options.rounds(); round++) {
                Histogram verbena = newHistogram();
                Histogram plain = newHistogram();
                // rounds alternate in which one goes first
                if (round % 2 == 0) {
                    pingPong(options.roundTrips(), verbena);
                    tcpPingPong(tcp, options.roundTrips(), plain);
                } else {
                    tcpPingPong(tcp, options.roundTrips(), plain);
                    pingPong(options.roundTrips(), verbena);
                }
                report.histogram("verbena", verbena);
                report.histogram("tcp", plain);
            }
            report.event("round trips done");
        }
    }

    private void pingPong(int count, Histogram times) {
        long begin = System.nanoTime();
        for (int i = 0; i < count && System.nanoTime() - begin < ROUND_NS; i++) {
            long start = System.nanoTime();
            link.send(Command.PING, i, ~i);
            link.awaitMessage();
            times.recordValue(System.nanoTime() - start);
            if (link.first() != i || link.second() != ~i) {
                throw new ProgramException("round trip " + i + " came back as " + link.first());
            }
        }
    }

    private void tcpPingPong(TcpPingPong tcp, int count, Histogram times) throws IOException {
        link.ask(Command.TCP_ECHO, 0, 0);
        tcp.run(count, ROUND_NS, times);
    }

    // ---- stream ----

    private void measureStream() throws IOException {
        report.step("stream of RDMA WRITEs, warm-up");
        long bytes = options.bytesOfRound();
        var remoteAddress = link.ask(Command.MEMORY, bytes, 0);
        try (var stream = new WriteStream(link, options, remoteAddress, (int) link.second(), report);
                var datagrams = DatagramStream.open(link.id().localAddress().getAddress(), Patience.ANSWER)) {
            ByteBuffer source = ByteBuffer.allocateDirect((int) bytes);
            int port = (int) link.ask(Command.DATAGRAM_OPEN, datagrams.port(), bytes);
            datagrams.fitWindow((int) link.second());
            datagrams.connect(server(), port);
            report.value("datagram window", datagrams.window());

            int warmUp = 0;
            long end = System.nanoTime() + options.warmUpNs();
            do {
                stream.run(--warmUp);
                plainStream(datagrams, source);
            } while (System.nanoTime() - end < 0);

            report.step("stream of RDMA WRITEs");
            for (int round = 0; round < options.rounds(); round++) {
                double plain = round % 2 == 0 ? 0 : rate(bytes, plainStream(datagrams, source));
                double verbena = rate(bytes, stream.run(round));
                plain = round % 2 == 0 ? rate(bytes, plainStream(datagrams, source)) : plain;
                report.value("verbena GB/s", verbena);
                report.value("datagrams GB/s", plain);
            }
            report.event("stream done");
            report.send(Report.Kind.WRITTEN, stream.writtenBytes());
        }
    }

    private long plainStream(DatagramStream datagrams, ByteBuffer source) throws IOException {
        link.ask(Command.DATAGRAMS, 0, 0);
        long start = System.nanoTime();
        datagrams.send(source);
        return System.nanoTime() - start;
    }

    private static double rate(long bytes, long ns) {
        return (double) bytes / ns;
    }

    private static Histogram newHistogram() {
        return new Histogram(LONGEST_NS, 3);
    }

    @Override
    public void close() {
        link.close();
    }
}
