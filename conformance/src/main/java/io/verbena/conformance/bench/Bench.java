package io.verbena.conformance.bench;

import io.verbena.verbs.Context;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Operation;
import java.util.ArrayList;
import java.util.List;

/// Two open devices for one test.
public final class Bench {
    private final Pairing pairing;
    private final Side left;
    private final Side right;
    private final List<Thread> earlier;

    private Bench(Pairing pairing, List<Thread> earlier, Context left, Context right) {
        this.pairing = pairing;
        this.earlier = earlier;
        this.left = new Side("left", left, pairing.leftAddress(), pairing.leftQuirks());
        this.right = new Side("right", right, pairing.rightAddress(), pairing.rightQuirks());
    }

    public static Bench open(Pairing pairing) {
        List<Thread> earlier = pairing.threads();
        Context left = pairing.openLeft();
        try {
            return new Bench(pairing, earlier, left, pairing.openRight());
        } catch (RuntimeException e) {
            left.closeAll();
            throw e;
        }
    }

    public Pairing pairing() {
        return pairing;
    }

    public Side left() {
        return left;
    }

    public Side right() {
        return right;
    }

    /// Two queue pairs in RESET, not yet connected.
    public Link unconnected(LinkOptions options) {
        LinkOptions responder = options.operations(new Operation[0]); // who only answers need not name them
        return new Link(
                End.create(left, options, options.leftPsn()),
                End.create(right, responder, options.rightPsn()),
                options);
    }

    /// Two queue pairs, connected by hand and ready to send.
    public Link link(LinkOptions options) {
        Link link = unconnected(options);
        link.connect();
        return link;
    }

    /// Closes everything. After a test that passed, what it opened itself and left open makes it fail: the contexts
    /// must close without EBUSY.
    public void finish(boolean failed) {
        RuntimeException first = null;
        for (Side side : new Side[] {right, left}) {
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

    /// Threads that came with this bench, so that one leak fails one test.
    private List<Thread> newThreads() {
        List<Thread> threads = new ArrayList<>(pairing.threads());
        threads.removeAll(earlier);
        return threads;
    }

    private static void closeRest(Side side) {
        try {
            side.context().closeAll();
        } catch (RuntimeException ignored) {
            // The first failure tells the story; this only clears the way for the next test.
        }
    }
}
