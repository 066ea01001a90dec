package io.verbena.conformance.bench;

import io.verbena.verbs.Context;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Operation;
import java.util.ArrayList;
import java.util.List;

/// Two open devices for one test.
public final class DevicePair {
    private final Pairing pairing;
    private final TestDevice left;
    private final TestDevice right;
    private final List<Thread> earlier;

    private DevicePair(Pairing pairing, List<Thread> earlier, Context left, Context right) {
        this.pairing = pairing;
        this.earlier = earlier;
        this.left = new TestDevice("left", left, pairing.leftAddress(), pairing.leftQuirks());
        this.right = new TestDevice("right", right, pairing.rightAddress(), pairing.rightQuirks());
    }

    public static DevicePair open(Pairing pairing) {
        List<Thread> earlier = pairing.threads();
        Context left = pairing.openLeft();
        try {
            return new DevicePair(pairing, earlier, left, pairing.openRight());
        } catch (RuntimeException e) {
            left.closeAll();
            throw e;
        }
    }

    public Pairing pairing() {
        return pairing;
    }

    public TestDevice left() {
        return left;
    }

    public TestDevice right() {
        return right;
    }

    /// Two queue pairs in RESET, not yet connected.
    public QueuePairLink unconnected(LinkOptions options) {
        LinkOptions responder = options.operations(new Operation[0]); // a responder need not name them
        return new QueuePairLink(
                LinkEnd.create(left, options, options.leftPsn()),
                LinkEnd.create(right, responder, options.rightPsn()),
                options);
    }

    /// Two queue pairs, connected by hand and ready to send.
    public QueuePairLink link(LinkOptions options) {
        QueuePairLink link = unconnected(options);
        link.connect();
        return link;
    }

    /// Closes everything. A test that passed but left something open fails here: the contexts must close without EBUSY.
    public void finish(boolean failed) {
        RuntimeException first = null;
        for (TestDevice side : new TestDevice[] {right, left}) {
            try {
                side.closeOpened();
                side.context().close();
            } catch (RuntimeException e) {
                first = first == null ? e : first;
                closeRest(side);
            }
        }
        if (first != null && !failed) {
            String leak = first instanceof RdmaException e
                    ? "left open or not closable: " + e.getMessage()
                    : "closing failed";
            throw new AssertionError(leak, first);
        }
        if (!failed) {
            Deadline.await(
                    () -> "threads end: " + newThreads(), () -> newThreads().isEmpty());
        }
    }

    /// Threads that were started since this pair was opened, so that one leak fails one test.
    private List<Thread> newThreads() {
        List<Thread> threads = new ArrayList<>(pairing.threads());
        threads.removeAll(earlier);
        return threads;
    }

    private static void closeRest(TestDevice side) {
        try {
            side.context().closeAll();
        } catch (RuntimeException ignored) {
            // The first failure is the one to report; this only cleans up for the next test.
        }
    }
}
