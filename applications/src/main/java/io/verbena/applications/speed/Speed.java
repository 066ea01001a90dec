package io.verbena.applications.speed;

import io.verbena.applications.Jvm;
import io.verbena.applications.Sockets;
import io.verbena.applications.Transport;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Measures programs over TCP and over another transport: their processes live side by side, and rounds of the one and
/// of the other
/// take turns, so that both meet the same machine.
///
/// Arguments: the transport (`rdma`, `udp`), then names of cases; none for all. `-Dapplications.rounds=N` sets the
/// number of rounds.
public final class Speed {
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration ROUND = Duration.ofSeconds(120);
    private static final Duration IDLE = Duration.ofSeconds(3);
    private static final int WARM_UP = 10;
    private static final int ROUNDS = Integer.getInteger("applications.rounds", 7);

    private Speed() {}

    /// Both sides of a case over one transport.
    private static final class Pair implements AutoCloseable {
        private final Jvm server;
        private final Jvm client;

        Pair(Case measured, Transport transport) throws IOException, InterruptedException {
            server = start(transport, measured.name(), "server");
            String port = server.await("^port (\\d+)", START).group(1);
            client = start(transport, measured.name(), "client", port);
            client.await("^ready", START);
        }

        private static Jvm start(Transport transport, String... arguments) throws IOException {
            return Jvm.command(Side.class.getName(), arguments)
                    .over(transport)
                    .options(
                            "-Dio.netty.transport.noNative=true",
                            "-Dio.grpc.netty.shaded.io.netty.transport.noNative=true")
                    .start();
        }

        double round() throws IOException, InterruptedException {
            int position = client.position();
            client.send("round");
            return Double.parseDouble(
                    client.await("^result (.*)", position, ROUND).group(1));
        }

        /// The processor time of both processes so far.
        Duration cpu() {
            return cpu(server).plus(cpu(client));
        }

        private static Duration cpu(Jvm jvm) {
            return jvm.process().info().totalCpuDuration().orElseThrow();
        }

        /// The bytes that the client moved by RDMA.
        long end() throws InterruptedException {
            return Sockets.rdmaBytes(client.stop());
        }

        @Override
        public void close() {
            client.close();
            server.close();
        }
    }

    /// Measures and prints a table.
    public static void main(String[] arguments) throws Exception {
        Transport other = Transport.named(arguments.length == 0 ? "rdma" : arguments[0]);
        List<Case> cases = arguments.length < 2
                ? List.of(Case.values())
                : Arrays.stream(arguments).skip(1).map(Case::named).toList();
        System.out.printf(
                "| case | unit | tcp | %1$s | ratio | from .. to | goal | | idle CPU tcp, %1$s | bytes by RDMA |%n",
                other);
        System.out.println("|---|---|---|---|---|---|---|---|---|---|");
        for (Case measured : cases) {
            measure(measured, other);
        }
    }

    private static void measure(Case measured, Transport transport) throws Exception {
        try (Pair tcp = new Pair(measured, Transport.tcp());
                Pair other = new Pair(measured, transport)) {
            for (int i = 0; i < WARM_UP; i++) {
                tcp.round();
                other.round();
            }
            List<Double> ofTcp = new ArrayList<>();
            List<Double> ofOther = new ArrayList<>();
            List<Double> ratios = new ArrayList<>();
            for (int i = 0; i < ROUNDS; i++) {
                boolean tcpFirst = i % 2 == 0;
                double first = tcpFirst ? tcp.round() : other.round();
                double second = tcpFirst ? other.round() : tcp.round();
                ofTcp.add(tcpFirst ? first : second);
                ofOther.add(tcpFirst ? second : first);
                ratios.add(ofOther.getLast() / ofTcp.getLast());
            }
            String idle = idle(tcp) + ", " + idle(other);
            ratios.sort(null);
            double ratio = median(ratios);
            System.out.printf(
                    "| %s | %s | %.1f | %.1f | %.2f | %.2f .. %.2f | %s | %s | %s | %d |%n",
                    measured.title(),
                    measured.unit(),
                    median(ofTcp),
                    median(ofOther),
                    ratio,
                    ratios.getFirst(),
                    ratios.getLast(),
                    measured.goalText(),
                    measured.isReached(ratio) ? "reached" : "missed",
                    idle,
                    other.end());
        }
    }

    /// The part of a processor that both processes of an idle connection use.
    private static String idle(Pair pair) throws InterruptedException {
        Duration before = pair.cpu();
        Thread.sleep(IDLE);
        double used = (double) pair.cpu().minus(before).toNanos() / IDLE.toNanos();
        return "%.1f %%".formatted(100 * used);
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }
}
