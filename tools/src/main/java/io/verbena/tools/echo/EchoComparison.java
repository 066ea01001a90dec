package io.verbena.tools.echo;

import io.verbena.report.JsonObject;
import io.verbena.sockets.RdmaSockets;
import io.verbena.sockets.SocketCounters;
import io.verbena.tools.program.Output;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.ServerCommand;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.spi.SelectorProvider;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/// The same client over TCP and over RDMA, both connected all the time, whose rounds take turns.
record EchoComparison(int bytes, long count, int rounds, Duration timeout) {
    private static final int WARM_UP_ROUNDS = 2;
    private static final int DIGITS = 3;

    void run(InetSocketAddress server, Output output) {
        Histogram tcpTimes = new Histogram(DIGITS);
        Histogram rdmaTimes = new Histogram(DIGITS);
        try (EchoClient tcp = new EchoClient(SelectorProvider.provider(), server, bytes, timeout);
                EchoClient rdma = new EchoClient(RdmaSockets.provider(), server, bytes, timeout)) {
            for (int i = 0; i < WARM_UP_ROUNDS; i++) {
                tcp.run(count, new Histogram(DIGITS));
                rdma.run(count, new Histogram(DIGITS));
            }
            for (int i = 0; i < rounds; i++) {
                tcp.run(count, tcpTimes);
                rdma.run(count, rdmaTimes);
            }
        } catch (IOException e) {
            throw new ProgramException(
                    "no echo from %s port %d: %s; start the server there: %s"
                            .formatted(
                                    server.getAddress().getHostAddress(),
                                    server.getPort(),
                                    e.getMessage(),
                                    ServerCommand.of("verbena echo --serve", server, EchoCommand.PORT)),
                    e);
        }
        if (tcpTimes.getTotalCount() > 0 && rdmaTimes.getTotalCount() > 0) {
            print(tcpTimes, rdmaTimes, output);
        }
    }

    private void print(Histogram tcp, Histogram rdma, Output output) {
        double ratio = us(rdma, 50) / us(tcp, 50);
        long rdmaBytes = SocketCounters.now().rdmaBytesWritten();
        output.result(new JsonObject()
                .with("size", bytes)
                .with("count", rdma.getTotalCount())
                .with("tcp", json(tcp))
                .with("rdma", json(rdma))
                .with("ratio", ratio)
                .with("rdmaBytes", rdmaBytes));
        output.say(
                "Echo of %,d bytes with selectors, %,d round trips each, in turns; microseconds",
                bytes, rdma.getTotalCount());
        output.say("");
        output.say("            p50       p99");
        output.say("TCP  %10.1f%10.1f", us(tcp, 50), us(tcp, 99));
        output.say("RDMA %10.1f%10.1f", us(rdma, 50), us(rdma, 99));
        output.say("");
        output.say("Over RDMA a round trip takes %.2f of the time that it takes over TCP.", ratio);
        output.say("The client wrote %,d bytes by RDMA.", rdmaBytes);
    }

    private static JsonObject json(Histogram times) {
        return new JsonObject().with("p50Us", us(times, 50)).with("p99Us", us(times, 99));
    }

    private static double us(Histogram times, double percentile) {
        return times.getValueAtPercentile(percentile) / 1000.0;
    }
}
