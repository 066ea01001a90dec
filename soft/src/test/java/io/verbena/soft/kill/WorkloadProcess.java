package io.verbena.soft.kill;

import io.verbena.soft.SoftProvider;
import io.verbena.verbs.Context;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// A process that runs a workload with its parent until it is killed, or until a line on its input tells it to finish.
final class WorkloadProcess {
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(30);

    private WorkloadProcess() {}

    /// Arguments: own address, the peer's, a number.
    public static void main(String[] arguments) throws IOException {
        InetAddress peer = InetAddress.getByName(arguments[1]);
        long seed = Long.parseLong(arguments[2]);
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                Context context =
                        new SoftProvider().device(arguments[0]).orElseThrow().open();
                PeerWorkload workload = new PeerWorkload(context, seed)) {
            System.out.println(workload.card());
            workload.connect(peer, input.readLine());
            System.out.println("connected");
            Thread reader = Thread.ofPlatform().daemon().start(() -> readLine(input));
            while (reader.isAlive()) {
                workload.step();
                workload.requireSound();
            }
            workload.finish(LONG_ENOUGH);
            workload.checkGuards();
            System.out.println("sound " + workload.received() + " " + context.counters());
            readLine(input);
        }
    }

    private static void readLine(BufferedReader input) {
        try {
            input.readLine();
        } catch (IOException e) {
            // An error ends the process, too.
        }
    }
}
