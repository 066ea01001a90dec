package io.verbena.soft.engine;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/// The engines of a device, one for each of its shards. They have the memory keys in common and nothing else that a
/// message needs, so threads that drive different ones do not meet. The first one also serves the connection manager.
/// Another one is opened when there is a completion queue for it. Safe from any thread.
public final class Engines {
    private static final Logger LOG = System.getLogger(Engines.class.getName());

    private final UnaryOperator<Engine> opener;
    private volatile Engine[] open;
    private int most;
    private int given;
    private boolean closed;

    /// @param opener opens another engine like the first one
    public Engines(Engine first, int most, UnaryOperator<Engine> opener) {
        this.open = new Engine[] {first};
        this.most = most;
        this.opener = opener;
    }

    public Engine first() {
        return open[0];
    }

    public List<Engine> all() {
        return List.of(open);
    }

    /// Whether there is never more than one.
    public synchronized boolean isOne() {
        return most == 1;
    }

    /// The engine for a completion queue that has none yet: each in turn.
    public synchronized Engine next() {
        if (closed) {
            throw new RdmaException("create queue pair", Errno.EBADF, "the device was closed meanwhile");
        }
        int turn = Math.floorMod(given++, most);
        if (turn >= open.length) {
            openAnother();
        }
        return open[turn % open.length];
    }

    private void openAnother() {
        try {
            Engine another = opener.apply(open[0]);
            Engine[] more = Arrays.copyOf(open, open.length + 1);
            more[open.length] = another;
            open = more;
        } catch (RdmaException e) {
            LOG.log(Level.DEBUG, () -> "no more than " + open.length + " shards: " + e.getMessage());
            most = open.length;
        }
    }

    /// Waits for all copies that began before a key was removed or changed; copies that begin later find the new state
    /// of the key. An engine copies only while a thread owns it, so it is enough to own it once after the change. Roles
    /// of local connections copy under their locks.
    public void awaitCopies() {
        for (Engine engine : open) {
            engine.execute(() -> {});
            if (engine.local() != null) {
                engine.local().awaitCopies();
            }
        }
    }

    /// Waits until no neighbour accesses memory of the device that was withdrawn before.
    public void awaitNeighbours() {
        for (Engine engine : open) {
            if (engine.local() != null) {
                engine.local().awaitNeighbours();
            }
        }
    }

    /// As [#awaitCopies], for the owner of an engine, which must not wait for other owners: runs the task as its owner,
    /// soon, when all copies of the others that began before have ended. Each of them says so when it comes to it.
    ///
    /// @return false, and does not run the task, when there are no others
    public boolean afterCopiesOfOthers(Engine own, Runnable task) {
        Engine[] all = open;
        AtomicInteger left = new AtomicInteger(all.length - 1);
        for (Engine other : all) {
            if (other != own) {
                other.executeSoon(() -> {
                    if (other.local() != null) {
                        other.local().awaitCopies();
                    }
                    if (left.decrementAndGet() == 0) {
                        own.executeSoon(task);
                    }
                });
            }
        }
        return all.length > 1;
    }

    /// Ends the opening of engines, and returns all that are open.
    public synchronized List<Engine> close() {
        closed = true;
        return all();
    }
}
