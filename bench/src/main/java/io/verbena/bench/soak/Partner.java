package io.verbena.bench.soak;

import io.verbena.verbs.Rdma;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.PortSpace;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/// The process that may be killed or stopped at any moment: `Partner ADDRESS SERVER PORT WRONG_BYTE_IN`. It connects to
/// the survivor, and takes orders, one per line:
///
/// - `talk TOKEN SEED COUNT PAUSE_US`: makes COUNT connections, answers `connected RETRIES`, and sends traffic until
///   the next order, or answers `broken REASON` when a connection ends
/// - `finish SENT,SENT...`: after `talk`; waits for the survivor's messages and for requests in flight, and answers
///   `finished VERIFIED SENT,SENT...`
/// - `close`: after `finish`; answers `closed`
/// - `churn TOKEN SEED COUNT QUOTA`: connects, exchanges QUOTA messages in each direction, and disconnects, COUNT
///   times; answers `churned VERIFIED`
///
/// A violation is answered with `wrong TEXT`. The process ends when its standard input does.
public final class Partner {
    private static final Duration CONNECT = Duration.ofSeconds(40);
    private static final Duration FINISH = Duration.ofSeconds(40);
    private static final Duration RESOLVE = Duration.ofSeconds(5);
    private static final String FAULTS = "faults inside the engine";

    private final InetSocketAddress own;
    private final InetSocketAddress server;
    private final int wrongByteIn;
    private final BlockingQueue<String> orders = new LinkedBlockingQueue<>();
    private int retries;

    private Partner(String[] arguments) {
        own = new InetSocketAddress(InetAddress.ofLiteral(arguments[0]), 0);
        server = new InetSocketAddress(InetAddress.ofLiteral(arguments[1]), Integer.parseInt(arguments[2]));
        wrongByteIn = Integer.parseInt(arguments[3]);
    }

    public static void main(String[] arguments) {
        try {
            Partner partner = new Partner(arguments);
            Thread.ofPlatform().daemon().name("orders").start(partner::read);
            partner.obey();
        } catch (Throwable e) { // any error must be reported to the survivor
            say("wrong " + (e instanceof SoakFailure ? e.getMessage() : e + " " + List.of(e.getStackTrace())));
            Runtime.getRuntime().halt(1);
        }
    }

    private static void say(String line) {
        System.out.println(line.replace('\n', ' '));
    }

    private void read() {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                orders.add(line);
            }
        } catch (IOException gone) {
            // an error is the end, too
        }
        Runtime.getRuntime().halt(0);
    }

    private void obey() throws InterruptedException {
        while (true) {
            String[] order = orders.take().split(" ");
            long token = Long.parseLong(order[1]);
            long seed = Long.parseLong(order[2]);
            int count = Integer.parseInt(order[3]);
            switch (order[0]) {
                case "talk" -> talk(token, seed, count, Long.parseLong(order[4]));
                case "churn" -> churn(token, seed, count, Long.parseLong(order[4]));
                default -> throw new SoakFailure("not an order: " + String.join(" ", order));
            }
        }
    }

    private void talk(long token, long seed, int count, long pauseUs) throws InterruptedException {
        List<Traffic> all = new ArrayList<>();
        try {
            retries = 0;
            for (int i = 0; i < count; i++) {
                all.add(connect(token, i, seed + i, Traffic.NO_QUOTA));
            }
            say("connected " + retries);
            while (orders.isEmpty()) {
                all.forEach(Traffic::step);
                LockSupport.parkNanos(pauseUs * 1000);
                if (all.stream().anyMatch(traffic -> hasEnded(traffic))) {
                    say("broken " + all);
                    return;
                }
            }
            finish(all, orders.take().split(" ")[1].split(","));
            orders.take();
        } finally {
            all.forEach(Traffic::close);
        }
        say("closed");
    }

    private void finish(List<Traffic> all, String[] counts) {
        all.forEach(Traffic::stopPosting);
        new Deadline(FINISH, () -> "the partner does not come to an end with " + List.of(counts) + ": " + all)
                .await(() -> {
                    boolean done = true;
                    for (int i = 0; i < all.size(); i++) {
                        Traffic traffic = all.get(i);
                        traffic.poll();
                        if (traffic.failure() != null) {
                            throw new SoakFailure("a connection broke while finishing: " + all);
                        }
                        done &= traffic.isIdle() && traffic.received() == Long.parseLong(counts[i]);
                    }
                    return done;
                });
        all.forEach(Traffic::checkGuards);
        checkCounters(all.getFirst().id());
        say("finished " + all.stream().mapToLong(Traffic::verified).sum() + " "
                + all.stream().map(traffic -> Long.toString(traffic.sent())).collect(Collectors.joining(",")));
    }

    private static void checkCounters(ConnectionId id) {
        Map<String, Long> counters = id.context().counters();
        if (counters.getOrDefault(FAULTS, 0L) != 0) {
            throw new SoakFailure("the partner's device has " + FAULTS + ": " + counters);
        }
    }

    private void churn(long token, long seed, int count, long quota) {
        long verified = 0;
        for (int i = 0; i < count; i++) {
            try (Traffic traffic = connect(token, i, seed + i, quota)) {
                boolean ours = !ConnectionGroup.isOurs(i);
                new Deadline(FINISH, () -> "a short connection does not come to an end: " + traffic).await(() -> {
                    traffic.step();
                    return ours ? traffic.isDone() : hasEnded(traffic);
                });
                if (ours) {
                    traffic.id().disconnect();
                }
                while (traffic.poll() > 0) {}
                if (traffic.received() != quota) {
                    throw new SoakFailure("disconnected before all " + quota + " messages came: " + traffic);
                }
                traffic.checkGuards();
                verified += traffic.verified();
            }
        }
        say("churned " + verified);
    }

    private static boolean hasEnded(Traffic traffic) {
        CmEvent event = traffic.id().event();
        return traffic.failure() != null || event != null && event.type() == CmEventType.DISCONNECTED;
    }

    /// Tries again after a failure: floods fill the queues of the listener, and requests get lost.
    private Traffic connect(long token, int index, long seed, long quota) {
        String[] why = {"no answer"};
        Deadline deadline = new Deadline(CONNECT, () -> "the partner cannot connect to " + server + ": " + why[0]);
        while (true) {
            ConnectionId id = Rdma.connectionManager().createEndpoint(PortSpace.TCP, own, server, RESOLVE);
            Traffic traffic = new Traffic(id, id.protectionDomain(), token, index, seed, quota, wrongByteIn);
            try {
                id.connect(ConnectionParameters.DEFAULT.withPrivateData(
                        traffic.privateData().encode()));
                traffic.peer(PrivateData.decode(id.event().privateData()));
                return traffic;
            } catch (RdmaException e) {
                why[0] = e.getMessage();
                traffic.close();
                retries++;
                deadline.check();
            }
        }
    }
}
