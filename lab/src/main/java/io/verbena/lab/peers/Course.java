package io.verbena.lab.peers;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Our `ping` and `blast` on the software device with a [CourseProgram] on the kernel's, several times each, because
/// their problems show in some runs only.
enum Course {
    PING("rxe to ours", "5 times 100 messages, as many sends complete as receives") {
        @Override
        String run(int port) throws InterruptedException {
            List<String> server = List.of(("ping --once --device " + OURS + " -p " + port).split(" "));
            try (var ours = new OurCommand(server)) {
                if (!ours.awaitReady(LIMIT)) {
                    return "our server is not ready:\n" + ours.output() + ours.stack();
                }
                return ping(port) + end(ours);
            }
        }
    },
    BLAST("ours to rxe", "5 times 500 messages from 16 buffers, the last credit acknowledged") {
        @Override
        String run(int port) throws InterruptedException {
            String line = "blast 10.77.0.1 --device " + OURS + " -p " + port + " -b 16 -c 500 -s 1000";
            List<String> client = List.of(line.split(" "));
            try (var listener = CourseProgram.listen(port)) {
                var served = CompletableFuture.supplyAsync(
                        () -> CourseProgram.blast(listener), Thread.ofPlatform().daemon()::start);
                try (var ours = new OurCommand(client)) {
                    String wrong = end(ours);
                    return wrong
                            + served.handle((text, thrown) -> thrown == null ? text : "server: " + thrown + "\n")
                                    .completeOnTimeout("the server did not end\n", LIMIT.toSeconds(), TimeUnit.SECONDS)
                                    .join();
                }
            }
        }
    };

    static final int TIMES = 5;
    private static final String OURS = "10.77.0.3";
    private static final Duration LIMIT = Duration.ofSeconds(120);

    private final String direction;
    private final String what;

    Course(String direction, String what) {
        this.direction = direction;
        this.what = what;
    }

    String direction() {
        return direction;
    }

    String what() {
        return what;
    }

    String program() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// One run; empty when all went well.
    abstract String run(int port) throws InterruptedException;

    private static String ping(int port) {
        try {
            return CourseProgram.ping(port, 100, 64);
        } catch (RuntimeException e) {
            return "client: " + e + "\n";
        }
    }

    private static String end(OurCommand ours) throws InterruptedException {
        int code = ours.await(LIMIT);
        return code == 0 ? "" : "ours (" + (code < 0 ? "did not end" : "exit code " + code) + "):\n" + ours.output();
    }
}
