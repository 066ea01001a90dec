package io.verbena.lab.peers;

import io.verbena.lab.peers.Peer.Direction;
import io.verbena.lab.peers.Results.Attempt;
import io.verbena.verbs.Rdma;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Runs C programs against our commands: `Grid soft|native [loss] [PROGRAM...] [-OPTION...]`, in the network namespace
/// of the device. Without PROGRAM it runs all; with an option, those that are run with it; with `loss`, those for a
/// link that loses packets. `ping` and `blast` are those of [Course]. Writes a line for each into results.tsv (see
/// `lab/guest/step.sh`). Exits with 1 when one failed or none was run.
public final class Grid {
    private static final String LOSS = "loss";
    private static final Duration START = Duration.ofSeconds(180);
    private static final Duration RUN = Duration.ofSeconds(300);

    private enum Kind {
        SOFT("soft", "3", "software device", 18_600),
        NATIVE("rdmacore", "2", "rxe through rdma-core", 18_800);

        private final String provider;
        private final String host;
        private final String text;
        private final int firstPort;

        Kind(String provider, String host, String text, int firstPort) {
            this.provider = provider;
            this.host = host;
            this.text = text;
            this.firstPort = firstPort;
        }
    }

    private final Kind kind;
    private final String remark;
    private final Results results = new Results();
    private int port;

    private Grid(Kind kind, String remark) {
        this.kind = kind;
        this.remark = remark;
        this.port = kind.firstPort;
    }

    public static void main(String[] arguments) throws InterruptedException {
        List<String> words = new ArrayList<>(List.of(arguments));
        Kind kind = Kind.valueOf(words.removeFirst().toUpperCase(Locale.ROOT));
        boolean loss = words.remove(LOSS);
        Grid grid = new Grid(kind, loss ? ", 1 % loss" : "");
        System.setProperty(Rdma.PROVIDER_PROPERTY, kind.provider);
        List<String> options =
                words.stream().filter(word -> word.startsWith("-")).toList();
        words.removeAll(options);
        for (Peer peer : loss ? PeerList.withLoss() : PeerList.all()) {
            boolean named = words.isEmpty() || words.contains(peer.name());
            if (named && options.stream().allMatch(peer::has) && (peer.times() == 1 || grid.mayRepeat())) {
                grid.run(peer);
            }
        }
        for (Course course : Course.values()) {
            boolean named = words.isEmpty() || words.contains(course.program());
            if (kind == Kind.SOFT && !loss && options.isEmpty() && named) {
                grid.run(course);
            }
        }
        System.out.println(grid.kind.text + ": " + grid.results);
        System.exit(grid.results.isGood() ? 0 : 1);
    }

    /// Peers are run several times to find problems of the software device. What is run so is `ib_send_lat -e`, which
    /// hangs with Linux 6.12 also where two C programs use two devices of the kernel.
    private boolean mayRepeat() {
        return kind == Kind.SOFT && !Results.kernel().equals("6.12");
    }

    private void run(Peer peer) throws InterruptedException {
        for (Direction direction : Direction.values()) {
            long start = System.nanoTime();
            String wrong = run(peer, direction);
            results.add(
                    new Attempt("C " + peer.name(), peer.name(), direction.toString(), kind.text, peer.what() + remark),
                    wrong,
                    start);
        }
    }

    private void run(Course course) throws InterruptedException {
        long start = System.nanoTime();
        String wrong = "";
        for (int i = 0; wrong.isEmpty() && i < Course.TIMES; i++) {
            port++;
            wrong = course.run(port);
        }
        results.add(new Attempt("rxe", course.program(), course.direction(), kind.text, course.what()), wrong, start);
    }

    /// Runs it as often as it asks for, until one run fails.
    private String run(Peer peer, Direction direction) throws InterruptedException {
        String wrong = "";
        for (int i = 1; wrong.isEmpty() && i <= peer.times(); i++) {
            port++;
            wrong = direction == Direction.C_CLIENT ? serve(peer) : call(peer);
            wrong = wrong.isEmpty() || peer.times() == 1 ? wrong : "run " + i + " of " + peer.times() + ": " + wrong;
        }
        return wrong;
    }

    /// Our server, a client in C. Empty when all went well, else the output of both.
    private String serve(Peer peer) throws InterruptedException {
        try (var ours = new OurCommand(words(peer.ours().server()))) {
            if (!ours.awaitReady(START)) {
                return "our server is not ready:\n" + ours.output() + ours.stack();
            }
            try (var c = new CProgram(words(peer.c().client()))) {
                return judge(c, c.await(RUN), ours, ours.await(START));
            }
        }
    }

    /// A server in C, our client.
    private String call(Peer peer) throws InterruptedException {
        try (var c = new CProgram(words(peer.c().server()))) {
            if (!c.awaitReady(peer.ready(), port, START)) {
                return "the C server is not ready:\n" + c.output();
            }
            try (var ours = new OurCommand(words(peer.ours().client()))) {
                int code = ours.await(RUN);
                return judge(c, c.await(START), ours, code);
            }
        }
    }

    private List<String> words(String line) {
        String filled = line.replace("{c}", "10.77.0.1")
                .replace("{c6}", "fd77::1")
                .replace("{ours}", "10.77.0." + kind.host)
                .replace("{ours6}", "fd77::" + kind.host)
                .replace("{port}", Integer.toString(port));
        return List.of(filled.split(" +"));
    }

    private String judge(CProgram c, int cCode, OurCommand ours, int ourCode) {
        boolean cWell = cCode == 0 || c.lostTheRaceToItsEnd();
        boolean oursWell = ourCode == 0 || !remark.isEmpty() && ours.lostTheLastAcknowledgement();
        if (cWell && oursWell) {
            return "";
        }
        return "C (%s):%n%s%nours (%s):%n%s%n%s"
                .formatted(end(cCode), c.output(), end(ourCode), ours.output(), ours.stack());
    }

    private static String end(int code) {
        return code < 0 ? "did not end" : "exit code " + code;
    }
}
