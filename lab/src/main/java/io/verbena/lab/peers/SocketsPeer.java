package io.verbena.lab.peers;

import io.verbena.lab.SocketContracts;
import io.verbena.lab.peers.Peer.Direction;
import io.verbena.lab.peers.Results.Attempt;
import io.verbena.sockets.RdmaServerSocketChannel;
import io.verbena.sockets.RdmaSocketChannel;
import io.verbena.sockets.RdmaSockets;
import io.verbena.verbs.Rdma;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/// Sockets of the module `sockets` with C programs that use rsockets, in both roles: `SocketsPeer soft|native`, in the
/// network namespace of the device; with names of C programs, only these, as often as they are named; with `short`,
/// every fourth size of `rstream`. Writes a line for each into results.tsv. Exits with 1 when one failed.
public final class SocketsPeer {
    private static final Duration START = Duration.ofSeconds(30);
    private static final long RETRY_NS = 20_000_000;
    private static final Duration END = Duration.ofSeconds(60);
    private static final Duration NOTICED = Duration.ofSeconds(10);
    private static final String RSTREAM = "rstream";
    private static final String RIOSTREAM = "riostream";
    private static final String NETCAT = "nc.traditional";
    private static final String RCOPY = "rcopy";
    private static final List<String> PROGRAMS = List.of(RSTREAM, NETCAT, RCOPY, RIOSTREAM);
    private static final String PRELOAD = "LD_PRELOAD=/usr/lib/x86_64-linux-gnu/rsocket/librspreload.so.1";
    private static final String SHORT = "short";
    private static final int SHORT_STEP = 4;
    private static final int FILE_BYTES = 100_000_000;
    private static final int ECHOED_BYTES = 4_000_000;
    private static final int BYTES_OF_A_SIZE = 1 << 18;
    private static final int MOST_TRANSFERS = 100;
    private static final int MOST_TRIES = 5;

    private final Results results = new Results();
    private final OurSockets ours;
    private final List<Integer> sizes;
    private int port;

    /// @param step of the sizes of rstream one in so many is taken
    private SocketsPeer(OurSockets ours, int step) {
        this.ours = ours;
        sizes = IntStream.range(0, Rstream.SIZES.size())
                .filter(i -> i % step == 0)
                .mapToObj(Rstream.SIZES::get)
                .toList();
        port = ours.isSoft() ? 19_000 : 19_500;
    }

    /// Runs all of them.
    public static void main(String[] arguments) throws IOException {
        boolean isSoft = arguments[0].equals("soft");
        System.setProperty(Rdma.PROVIDER_PROPERTY, isSoft ? "soft" : "rdmacore");
        List<String> named = new ArrayList<>(List.of(arguments).subList(1, arguments.length));
        SocketsPeer peer = new SocketsPeer(new OurSockets(isSoft), named.remove(SHORT) ? SHORT_STEP : 1);
        for (String program : named.isEmpty() ? PROGRAMS : named) {
            for (Direction direction : Direction.values()) {
                peer.run(program, direction);
            }
        }
        if (!isSoft && named.isEmpty()) {
            peer.runContracts();
        }
        System.out.println((isSoft ? "software device: " : "rxe: ") + peer.results);
        System.exit(peer.results.isGood() ? 0 : 1);
    }

    private void run(String program, Direction direction) {
        switch (program) {
            case RSTREAM -> runRstream(direction);
            case NETCAT ->
                attempt(
                        NETCAT,
                        direction,
                        ECHOED_BYTES / 1_000_000 + " MB each way, under librspreload",
                        () -> echo(direction));
            case RCOPY ->
                attempt(RCOPY, direction, "a file of " + FILE_BYTES / 1_000_000 + " MB", () -> copy(direction));
            case RIOSTREAM ->
                attempt(
                        RIOSTREAM,
                        direction,
                        "writes of 64 to 1048576 bytes to mapped memory",
                        () -> writeToMaps(direction));
            default -> throw new IllegalArgumentException(program + " is none of " + PROGRAMS);
        }
    }

    private void runRstream(Direction direction) {
        String what = ", %s%d sizes from %d to %d bytes"
                .formatted(
                        sizes.size() == Rstream.SIZES.size() ? "all " : "",
                        sizes.size(),
                        sizes.getFirst(),
                        sizes.getLast());
        attempt(RSTREAM, direction, "blocking" + what, () -> streamSizes(direction, "-T b", true));
        attempt(RSTREAM, direction, "non-blocking" + what, () -> streamSizes(direction, "-T n", false));
        attempt(
                RSTREAM,
                direction,
                "4096 bytes, IPv6",
                () -> stream(direction, new Run(true, true, "-f ipv6 -T b", List.of()), 4096));
        attempt(
                RSTREAM,
                direction,
                "4096 bytes, plain sockets under librspreload",
                () -> stream(direction, new Run(false, true, "-T s -T b", List.of("env", PRELOAD)), 4096));
        attempt(RSTREAM, direction, "killed in the middle", () -> kill(direction));
    }

    private void runContracts() throws IOException {
        long startNs = System.nanoTime();
        String wrong = SocketContracts.run(Results.folder());
        results.add(new Attempt("rxe", "sockets", "both", ours.device(), "the contracts of sockets"), wrong, startNs);
    }

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
        results.add(new Attempt("C " + program, program, direction.toString(), ours.device(), what), wrong, startNs);
    }

    // ---- a C program and our side ----

    /// The command lines of a C program in both roles.
    private record Commands(boolean isIpv6, List<String> client, List<String> server) {
        Commands(String client, String server) {
            this(false, List.of(client.split(" ")), List.of(server.split(" ")));
        }
    }

    /// Our side of a connection.
    private interface Half {
        void run(RdmaSocketChannel channel, CProgram c) throws Exception;
    }

    private interface Opening {
        RdmaSocketChannel open() throws IOException;
    }

    private void run(Direction direction, Commands commands, Half half) throws Exception {
        if (direction == Direction.C_CLIENT) {
            try (RdmaServerSocketChannel listener = ours.listen(commands.isIpv6, port);
                    CProgram c = new CProgram(commands.client)) {
                run(c, () -> OurSockets.accept(listener), half);
            }
        } else {
            try (CProgram c = new CProgram(commands.server)) {
                run(c, () -> connect(commands.isIpv6, c), half);
            }
        }
    }

    private static void run(CProgram c, Opening opening, Half half) throws Exception {
        try (RdmaSocketChannel channel = opening.open()) {
            try {
                half.run(channel, c);
            } catch (IOException | IllegalStateException e) {
                Stuck.print(channel, c);
                throw e;
            }
        } catch (IOException e) {
            throw new IOException(e.getMessage() + "; the C program printed: " + c.output(), e);
        }
    }

    /// Until the C server listens, it refuses connections.
    private RdmaSocketChannel connect(boolean isIpv6, CProgram c) throws IOException {
        long startNs = System.nanoTime();
        while (true) {
            try {
                return ours.connect(isIpv6, port);
            } catch (ConnectException e) {
                if (!c.isAlive() || System.nanoTime() - startNs > START.toNanos()) {
                    throw e;
                }
                LockSupport.parkNanos(RETRY_NS);
            }
        }
    }

    private static void requireEnded(CProgram c) throws InterruptedException {
        int code = c.await(END);
        if (code != 0) {
            throw new IllegalStateException(
                    "the C program " + (code < 0 ? "did not end" : "ended with " + code) + ": " + c.output());
        }
    }

    // ---- rstream and riostream ----

    private void streamSizes(Direction direction, String options, boolean isBlocking) throws Exception {
        for (int size : sizes) {
            port++;
            stream(direction, new Run(false, isBlocking, options, List.of()), size);
        }
    }

    /// @param options of rstream
    /// @param before words before the program
    private record Run(boolean isIpv6, boolean isBlocking, String options, List<String> before) {}

    private void stream(Direction direction, Run run, int size) throws Exception {
        int transfers = Math.clamp(BYTES_OF_A_SIZE / size, 1, MOST_TRANSFERS);
        int iterations = size < BYTES_OF_A_SIZE ? 2 : 1;
        List<String> server = new ArrayList<>(run.before);
        server.addAll(List.of((RSTREAM + " -T v -p %d -S %d -I %d -C %d %s -b %s")
                .formatted(port, size, iterations, transfers, run.options, OurSockets.cAddress(run.isIpv6))
                .split(" ")));
        List<String> client = new ArrayList<>(server);
        client.addAll(List.of("-s", ours.address(run.isIpv6)));
        run(direction, new Commands(run.isIpv6, client, server), (channel, c) -> {
            Selector selector = run.isBlocking ? null : RdmaSockets.openSelector();
            try (selector;
                    Stream stream = new Stream(channel, selector)) {
                Rstream half = new Rstream(stream);
                if (direction == Direction.C_CLIENT) {
                    half.runServer(size, iterations, transfers);
                } else {
                    half.runClient(size, iterations, transfers);
                }
                requireEnded(c);
            } catch (IOException e) {
                throw new IOException("size %d: %s".formatted(size, e.getMessage()), e);
            }
        });
    }

    private void writeToMaps(Direction direction) throws Exception {
        for (int size : Riostream.SIZES) {
            for (int left = MOST_TRIES - 1; !hasWrittenToMaps(direction, size, left == 0); left--) {
                System.out.println("riostream listened before it took maps, once more");
            }
        }
    }

    /// The C server says how many maps it takes after it has begun to listen: a client that comes between these two
    /// finds none.
    ///
    /// @return false when we came too early
    private boolean hasWrittenToMaps(Direction direction, int size, boolean isLastTry) throws Exception {
        port++;
        int iterations = 10;
        // Unbuffered, or its message is lost when it hangs after an error.
        String server = "stdbuf -o0 " + RIOSTREAM
                + " -T v -p %d -S %d -I %d -C 1 -b %s".formatted(port, size, iterations, OurSockets.cAddress(false));
        try {
            run(direction, new Commands(server + " -s " + ours.address(false), server), (channel, c) -> {
                Riostream half = new Riostream(channel);
                if (direction == Direction.C_CLIENT) {
                    half.runServer(size, iterations);
                } else {
                    half.runClient(size, iterations);
                }
                requireEnded(c);
            });
            return true;
        } catch (UnsupportedOperationException noMaps) {
            if (isLastTry || direction == Direction.C_CLIENT) {
                throw noMaps;
            }
            return false;
        }
    }

    // ---- files: rcopy, and a program that knows nothing of RDMA ----

    private void copy(Direction direction) throws Exception {
        Path from = randomFile(FILE_BYTES);
        Path to = from.resolveSibling(from.getFileName() + ".to");
        try {
            // Options come last: a first argument that begins with a dash makes it a server.
            String client = "rcopy %s %s:%s -p %d".formatted(from, ours.address(false), to, port);
            run(direction, new Commands(client, "rcopy -p " + port), (channel, c) -> {
                Rcopy half = new Rcopy(new Stream(channel, null));
                if (direction == Direction.C_CLIENT) {
                    half.runServer();
                    requireEnded(c);
                } else {
                    half.runClient(from, to.toString());
                }
            });
            requireSame(from, to);
        } finally {
            Files.deleteIfExists(from);
            Files.deleteIfExists(to);
        }
    }

    /// Netcat sends a file, gets the same bytes back, and ends when we close.
    private void echo(Direction direction) throws Exception {
        Path from = randomFile(ECHOED_BYTES);
        Path to = from.resolveSibling(from.getFileName() + ".to");
        try {
            String line = "exec env " + PRELOAD + " " + NETCAT + " %s <" + from + " >" + to;
            String client = line.formatted("-n %s %d".formatted(ours.address(false), port));
            String server = line.formatted("-n -l -s %s -p %d".formatted(OurSockets.cAddress(false), port));
            Commands commands = new Commands(false, List.of("sh", "-c", client), List.of("sh", "-c", server));
            run(direction, commands, (channel, c) -> {
                Stream stream = new Stream(channel, null);
                ByteBuffer bytes = ByteBuffer.allocate(ECHOED_BYTES);
                stream.read(bytes);
                stream.write(bytes.flip());
                stream.close();
                requireEnded(c);
            });
            requireSame(from, to);
        } finally {
            Files.deleteIfExists(from);
            Files.deleteIfExists(to);
        }
    }

    private static Path randomFile(int bytes) throws IOException {
        byte[] content = new byte[bytes];
        new SplittableRandom(1).nextBytes(content);
        return Files.write(Files.createTempFile("sockets", ".from"), content);
    }

    private static void requireSame(Path from, Path to) throws IOException {
        long difference = Files.mismatch(from, to);
        if (difference >= 0) {
            throw new IOException("the copy differs at byte " + difference + "; it has " + Files.size(to) + " bytes");
        }
    }

    // ---- killed peers ----

    /// The peer is killed after the first exchange: reads see the end of the stream or an error, writes an error, soon.
    private void kill(Direction direction) throws Exception {
        String server = RSTREAM + " -T b -p %d -S 64 -I 1000000 -C 1 -b %s".formatted(port, OurSockets.cAddress(false));
        run(direction, new Commands(server + " -s " + ours.address(false), server), (channel, c) -> {
            Stream stream = new Stream(channel, null);
            if (direction == Direction.OUR_CLIENT) {
                stream.write(ByteBuffer.allocate(16));
            }
            stream.read(ByteBuffer.allocate(16));
            requireEndAfterKill(c, stream);
        });
    }

    private static void requireEndAfterKill(CProgram c, Stream stream) throws Exception {
        long startNs = System.nanoTime();
        c.close();
        String seen = "the end of the stream";
        try {
            stream.readEnd();
        } catch (IOException e) {
            seen = e.toString();
        }
        Duration took = Duration.ofNanos(System.nanoTime() - startNs);
        System.out.println("after the kill reads see, within %d ms: %s".formatted(took.toMillis(), seen));
        if (took.compareTo(NOTICED) > 0) {
            throw new IllegalStateException("the end was noticed after " + took);
        }
        try {
            stream.write(ByteBuffer.allocate(16));
        } catch (IOException e) {
            System.out.println("and writes: " + e);
            return;
        }
        throw new IllegalStateException("a write to a peer that was killed succeeded");
    }
}
