package io.verbena.endpoint;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.RemoteBuffer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// The exports of the peer that this side has asked for. Safe from any thread.
final class Lookups {
    private final ConnectionLink connection;
    private final Sender sender;

    /// One question at a time, because each needs a receive of the peer.
    private final ReentrantLock asking = new ReentrantLock();

    /// Guarded by this.
    private final List<RemoteMemory> found = new ArrayList<>();

    private long questions;
    private volatile Pending question;

    /// What the question is about.
    private volatile String asked;

    /// The answer; null when the peer has no such export.
    private RemoteMemory answer;

    Lookups(ConnectionLink connection, Sender sender) {
        this.connection = connection;
        this.sender = sender;
    }

    RemoteMemory find(String name) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        int most = Math.min(Exports.MOST_NAME_BYTES, sender.longestEager());
        if (text.length == 0 || text.length > most) {
            throw new RdmaException(
                    "find export '" + name + "'",
                    Errno.EINVAL,
                    "a name has 1 to %d bytes, this one %d".formatted(most, text.length));
        }
        lock(name);
        try {
            connection.loss().requireOpen();
            Pending pending = new Pending(connection, () -> "find export '" + name + "' of " + connection.peer());
            pending.number(++questions);
            asked = name;
            answer = null;
            question = pending;
            sender.control(MessageHeader.FIND, 0, questions, text, null);
            pending.await();
            if (answer == null) {
                throw new RdmaException(
                        "find export '" + name + "'",
                        Errno.ENOENT,
                        connection.peer() + " exports nothing of that name; check the name, or export it there first");
            }
            return answer;
        } finally {
            question = null;
            asking.unlock();
        }
    }

    /// Waits for a thread that asks before this one.
    private void lock(String name) {
        Duration timeout = connection.options().timeout();
        try {
            if (asking.tryLock(Waits.nanoseconds(timeout), TimeUnit.NANOSECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            throw new RdmaException("find export '" + name + "'", Errno.EINTR, "the waiting thread was interrupted", e);
        }
        throw new RdmaException(
                "find export '" + name + "'",
                Errno.ETIMEDOUT,
                "%s did not answer a question of another thread within %s; it may be busy"
                        .formatted(connection.peer(), Waits.seconds(timeout)));
    }

    private synchronized RemoteMemory remember(String name, ByteBuffer bytes) {
        byte[] buffer = new byte[RemoteBuffer.BYTES];
        bytes.get(buffer);
        RemoteMemory memory =
                new RemoteMemory(connection, name, RemoteBuffer.decode(buffer), bytes.getInt(), bytes.getLong());
        for (RemoteMemory known : found) {
            if (known.isSame(memory)) {
                return known; // a program that asks before each access does not fill the list
            }
        }
        found.add(memory);
        return memory;
    }

    // ---- of the owner of the hub ----

    void onAnswer(boolean isFound, long number, byte[] payload) {
        Pending pending = question;
        if (isFound && payload.length != Exports.FOUND_BYTES) {
            throw new IllegalStateException("the peer answered with %d bytes where an export has %d"
                    .formatted(payload.length, Exports.FOUND_BYTES));
        }
        if (pending != null && pending.number() == number) {
            // Known before a REVOKE that may follow.
            answer = isFound ? remember(asked, ByteBuffer.wrap(payload)) : null;
            pending.finish(null);
        }
    }

    void onRevoke(long export) {
        List<RemoteMemory> revoked = new ArrayList<>();
        synchronized (this) {
            for (RemoteMemory memory : found) {
                if (memory.number() == export) {
                    revoked.add(memory);
                }
            }
            found.removeAll(revoked);
        }
        Revocation revocation = new Revocation(export, revoked.size());
        revoked.forEach(memory -> memory.revoke(revocation));
        revocation.onQuiet(); // for the peer's question that was not answered yet
    }

    /// Tells the peer when no access is under way any more.
    private final class Revocation implements Runnable {
        private final long export;
        private int left;

        Revocation(long export, int memories) {
            this.export = export;
            this.left = memories + 1;
        }

        /// One of the memories is quiet.
        @Override
        public void run() {
            onQuiet();
        }

        private void onQuiet() {
            boolean all;
            synchronized (this) {
                all = --left == 0;
            }
            if (all) {
                sender.control(MessageHeader.REVOKED, 0, export, ConnectionLink.NO_BYTES, null);
            }
        }
    }

    void fail(RuntimeException reason) {
        Pending pending = question;
        if (pending != null) {
            pending.finish(reason);
        }
    }
}
