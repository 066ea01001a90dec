package io.verbena.lab.peers;

import io.verbena.lab.peers.Peer.Direction;
import io.verbena.lab.peers.Results.Attempt;
import io.verbena.sockets.RdmaSockets;
import io.verbena.verbs.Rdma;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Sockets of the module `sockets` with the C programs of rdmacm-utils that use rsockets, in both roles: `SocketsPeer
/// soft|native`, in the network
/// namespace of the device. Writes a line for each into results.tsv. Exits with 1 when one failed.
public final class SocketsPeer {
    private static final Duration START = Duration.ofSeconds(30);
    private static final Duration END = Duration.ofSeconds(60);
    private static final String RSTREAM = "rstream";
    private static final String PRELOAD = "LD_PRELOAD=/usr/lib/x86_64-linux-gnu/rsocket/librspreload.so.1";
    private static final int FILE_BYTES = 100_000_000;
    private static final int BYTES_OF_A_SIZE = 1 << 20;
    private static final int MOST_TRANSFERS = 100;

    private final Results results = new Results();
    private final boolean soft;
    private int port;

    private SocketsPeer(boolean soft) {
        this.soft = soft;
        port = soft ? 19_000 : 19_500;
    }

    /// Runs all of them.
    public static void main(String[] arguments) throws Exception {
        boolean soft = arguments[0].equals("soft");
        System.setProperty(Rdma.PROVIDER_PROPERTY, soft ? "soft" : "rdmacore");
        SocketsPeer peer = new SocketsPeer(soft);
        for (Direction direction : Direction.values()) {
            peer.streamAllSizes(direction, "-T b", true);
            peer.streamAllSizes(direction, "-T n", false);
            peer.attempt(
                    RSTREAM,
                    direction,
                    "IPv6, 4096 B",
                    () -> peer.stream(direction, new Run(true, true, "-f ipv6 -T b", List.of()), 4096));
            peer.attempt(
                    RSTREAM,
                    direction,
                    "-T s under librspreload, 4096 B",
                    () -> peer.stream(direction, new Run(false, true, "-T s -T b", List.of("env", PRELOAD)), 4096));
            peer.attempt("rcopy", direction, FILE_BYTES / 1_000_000 + " MB", () -> peer.copy(direction));
            peer.attempt(RSTREAM, direction, "killed in the middle", () -> peer.kill(direction));
        }
        System.out.println((soft ? "software device: " : "rxe: ") + peer.results);
        System.exit(peer.results.isGood() ? 0 : 1);
    }

    /// @param options of rstream
    /// @param before words before the program
    private record Run(boolean ipv6, boolean blocking, String options, List<String> before) {}

    /// Throws when something is wrong.
    private interface Work {
        void run() throws Exception;
    }

    private void attempt(String program, Direction direction, String what, Work work) {
        long startNs = System.nanoTime();
        port++;
        String wrong = "";
        try {
            work.run();
        } catch (Exception e) {
            StringWriter trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace, true));
            wrong = trace.toString();
        }
        String device = soft ? "software device" : "rxe through rdma-core";
        results.add(new Attempt("C " + program, program, direction.toString(), device, what), wrong, startNs);
    }

    private void streamAllSizes(Direction direction, String options, boolean blocking) {
        String what = "%s, all %d sizes from %d B to %d B"
                .formatted(
                        blocking ? "blocking" : "non-blocking",
                        Rstream.SIZES.size(),
                        Rstream.SIZES.getFirst(),
                        Rstream.SIZES.getLast());
        attempt(RSTREAM, direction, what, () -> {
            for (int size : Rstream.SIZES) {
                port++;
                stream(direction, new Run(false, blocking, options, List.of()), size);
            }
        });
    }

    // ---- rstream ----

    private void stream(Direction direction, Run run, int size) throws Exception {
        int transfers = Math.clamp(BYTES_OF_A_SIZE / size, 1, MOST_TRANSFERS);
        int iterations = 2;
        List<String> words = new ArrayList<>(run.before);
        words.addAll(List.of(
                (RSTREAM + " -T v -p %d -S %d -I %d -C %d %s".formatted(port, size, iterations, transfers, run.options))
                        .split(" ")));
        String problem = "size " + size;
        if (direction == Direction.C_CLIENT) {
            words.addAll(List.of("-b", cAddress(run.ipv6), "-s", ourAddress(run.ipv6)));
            try (ServerSocketChannel server = listen(run.ipv6, port);
                    CProgram c = new CProgram(words);
                    Stream stream = accept(server, run.blocking, c)) {
                explain(problem, c, () -> new Rstream(stream).runServer(size, iterations, transfers));
                requireEnded(c);
            }
            return;
        }
        words.addAll(List.of("-b", cAddress(run.ipv6)));
        try (CProgram c = new CProgram(words)) {
            requireReady(c, port);
            try (Stream stream = connect(run.ipv6, run.blocking, port)) {
                explain(problem, c, () -> new Rstream(stream).runClient(size, iterations, transfers));
                requireEnded(c);
            }
        }
    }

    /// Adds the output of the C program to what went wrong.
    private static void explain(String problem, CProgram c, Work work) throws Exception {
        try {
            work.run();
        } catch (IOException e) {
            throw new IOException(problem + ": " + e.getMessage() + "; the C program printed: " + c.output(), e);
        }
    }

    /// The peer is killed after the first exchange: we see the end of the stream or an error, soon.
    private void kill(Direction direction) throws Exception {
        String options = RSTREAM + " -T b -p %d -S 64 -I 1000000 -C 1 -b %s".formatted(port, cAddress(false));
        if (direction == Direction.C_CLIENT) {
            try (ServerSocketChannel server = listen(false, port);
                    CProgram c = new CProgram(List.of((options + " -s " + ourAddress(false)).split(" ")));
                    Stream stream = accept(server, true, c)) {
                ByteBuffer buffer = ByteBuffer.allocate(16);
                stream.read(buffer);
                requireEndAfterKill(c, stream);
            }
            return;
        }
        try (CProgram c = new CProgram(List.of(options.split(" ")))) {
            requireReady(c, port);
            try (Stream stream = connect(false, true, port)) {
                stream.write(ByteBuffer.allocate(16));
                stream.read(ByteBuffer.allocate(16));
                requireEndAfterKill(c, stream);
            }
        }
    }

    private static void requireEndAfterKill(CProgram c, Stream stream) throws Exception {
        long startNs = System.nanoTime();
        c.close();
        try {
            stream.readEnd();
        } catch (IOException e) {
            System.out.println("after the kill: " + e);
        }
        Duration took = Duration.ofNanos(System.nanoTime() - startNs);
        if (took.compareTo(START) > 0) {
            throw new IllegalStateException("the end was noticed after " + took);
        }
    }

    // ---- rcopy ----

    private void copy(Direction direction) throws Exception {
        Path from = Files.createTempFile("rcopy", ".from");
        Path to = from.resolveSibling(from.getFileName() + ".to");
        byte[] content = new byte[FILE_BYTES];
        new SplittableRandom(1).nextBytes(content);
        Files.write(from, content);
        try {
            if (direction == Direction.C_CLIENT) {
                try (ServerSocketChannel server = listen(false, port);
                        CProgram c = new CProgram(List.of(
                                "rcopy", "-p", String.valueOf(port), from.toString(), ourAddress(false) + ":" + to));
                        Stream stream = accept(server, true, c)) {
                    explain("rcopy", c, () -> new Rcopy(stream).runServer());
                    requireEnded(c);
                }
            } else {
                try (CProgram c = new CProgram(List.of("rcopy", "-p", String.valueOf(port)))) {
                    requireReady(c, port);
                    try (Stream stream = connect(false, true, port)) {
                        explain("rcopy", c, () -> new Rcopy(stream).runClient(from, to.toString()));
                    }
                }
            }
            long difference = Files.mismatch(from, to);
            if (difference >= 0) {
                throw new IOException(
                        "the copy differs at byte " + difference + "; it has " + Files.size(to) + " bytes");
            }
        } finally {
            Files.deleteIfExists(from);
            Files.deleteIfExists(to);
        }
    }

    // ---- our side ----

    private static String cAddress(boolean ipv6) {
        return ipv6 ? "fd77::1" : "10.77.0.1";
    }

    private String ourAddress(boolean ipv6) {
        return (ipv6 ? "fd77::" : "10.77.0.") + (soft ? "3" : "2");
    }

    private static ProtocolFamily family(boolean ipv6) {
        return ipv6 ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET;
    }

    private ServerSocketChannel listen(boolean ipv6, int at) throws IOException {
        return RdmaSockets.openServerSocketChannel(family(ipv6))
                .bind(new InetSocketAddress(InetAddress.ofLiteral(ourAddress(ipv6)), at));
    }

    private static Stream accept(ServerSocketChannel server, boolean blocking, CProgram c) throws IOException {
        server.socket().setSoTimeout((int) START.toMillis());
        try {
            return stream(server.socket().accept().getChannel(), blocking);
        } catch (IOException e) {
            throw new IOException(e.getMessage() + "; the C program printed: " + c.output(), e);
        }
    }

    private Stream connect(boolean ipv6, boolean blocking, int to) throws IOException {
        SocketChannel channel = RdmaSockets.openSocketChannel(family(ipv6));
        channel.bind(new InetSocketAddress(InetAddress.ofLiteral(ourAddress(ipv6)), 0));
        channel.connect(new InetSocketAddress(InetAddress.ofLiteral(cAddress(ipv6)), to));
        return stream(channel, blocking);
    }

    private static Stream stream(SocketChannel channel, boolean blocking) throws IOException {
        Selector selector = blocking ? null : RdmaSockets.openSelector();
        return new Stream(channel, selector);
    }

    private static void requireReady(CProgram c, int at) throws InterruptedException {
        if (!c.awaitReady(Peer.Ready.CONNECTION_MANAGER, at, START)) {
            throw new IllegalStateException("the C server is not ready: " + c.output());
        }
    }

    private static void requireEnded(CProgram c) throws InterruptedException {
        int code = c.await(END);
        if (code != 0) {
            throw new IllegalStateException(
                    "the C program " + (code < 0 ? "did not end" : "ended with " + code) + ": " + c.output());
        }
    }
}
