package io.verbena.verbs.spi;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The live children of one object, in the order they were made. An object with children does not close (EBUSY);
/// [#closeAll] closes them newest first. Safe from any thread.
///
/// When one thread adds a child while another closes the parent, either the child is first and the parent stays open,
/// or [#tryAdd] fails because [#seal] was first.
public final class ResourceTree {
    /// The most children that an error names.
    private static final int NAMED = 5;

    private final Set<AutoCloseable> children = new LinkedHashSet<>();
    private boolean sealed;

    /// Makes a tree without children.
    public ResourceTree() {}

    /// Adds a child, for parents that synchronize adding and closing themselves.
    public synchronized void add(AutoCloseable child) {
        children.add(child);
    }

    /// Adds a child; false once the tree is sealed: the parent is closed or about to be.
    public synchronized boolean tryAdd(AutoCloseable child) {
        if (!sealed) {
            children.add(child);
        }
        return !sealed;
    }

    /// Adds a child that was just made. When the parent was closed meanwhile, closes the child by `close` and throws
    /// EBADF.
    ///
    /// @param parent what the parent is called in errors, for example `the protection domain`
    public <T extends AutoCloseable> T keep(String verb, String parent, T child, Runnable close) {
        if (!tryAdd(child)) {
            close.run();
            throw new RdmaException(verb, Errno.EBADF, parent + " is closed");
        }
        return child;
    }

    /// As [#requireNone], and refuses new children from then on.
    public void seal(String verb) {
        List<AutoCloseable> live;
        synchronized (this) {
            live = snapshot();
            sealed = live.isEmpty();
        }
        requireEmpty(verb, live);
    }

    /// Takes out a child that was closed.
    public synchronized void remove(AutoCloseable child) {
        children.remove(child);
    }

    /// Whether there are no children now.
    public synchronized boolean isEmpty() {
        return children.isEmpty();
    }

    /// The children at this moment, oldest first.
    public synchronized List<AutoCloseable> snapshot() {
        return new ArrayList<>(children);
    }

    /// Throws EBUSY, naming what still lives, unless there are no children.
    public void requireNone(String verb) {
        requireEmpty(verb, snapshot());
    }

    /// Outside the lock, because `toString` of the children is foreign code.
    private static void requireEmpty(String verb, List<AutoCloseable> live) {
        if (!live.isEmpty()) {
            throw new RdmaException(
                    verb,
                    Errno.EBUSY,
                    "still in use by " + names(live) + "; close these first, or use closeAll on the context");
        }
    }

    /// Names a few children; an error does not need all.
    private static String names(List<AutoCloseable> live) {
        int rest = live.size() - NAMED;
        return rest <= 0 ? live.toString() : live.subList(0, NAMED) + " and " + rest + " more";
    }

    /// Closes the children newest first; one that fails does not keep the others open, and the first failure is
    /// thrown.
    public void closeAll() {
        RuntimeException first = null;
        for (AutoCloseable child : snapshot().reversed()) {
            try {
                child.close();
            } catch (Exception e) {
                RuntimeException failure = e instanceof RuntimeException r ? r : new IllegalStateException(e);
                if (first == null) {
                    first = failure;
                } else {
                    first.addSuppressed(failure);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
