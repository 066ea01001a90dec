package io.verbena.tools.ping;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.EventChannel;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// `--cm thread`, as ping-sr-2 and ping-sr-3: a second thread blocks on the event channel, and puts each event into a
/// queue for the thread that sends and receives.
final class ThreadEvents extends ChannelEvents {
    private final BlockingQueue<CmEvent> taken = new LinkedBlockingQueue<>();
    private final Thread thread;

    ThreadEvents(ConnectionManager cm, Duration step) {
        super(cm, step);
        thread = Thread.ofPlatform().daemon().name("connection events").start(this::takeEvents);
    }

    private void takeEvents() {
        try {
            while (true) {
                CmEvent event = channel().await(UNTIL_LOOK_AGAIN); // asleep until there is one
                if (event != null) {
                    taken.add(seen(event));
                }
            }
        } catch (RdmaException e) {
            if (e.errno() != Errno.EINTR) {
                throw e;
            }
            // closed
        }
    }

    @Override
    CmEvent next(Duration timeout) {
        try {
            return taken.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            throw new RdmaException("wait for an event", Errno.EINTR, "the thread was interrupted", e);
        }
    }

    @Override
    EventChannel pollable() {
        return null;
    }

    @Override
    public void close() {
        thread.interrupt();
        joinThread();
        taken.stream()
                .filter(event -> event.type() == CmEventType.CONNECT_REQUEST)
                .forEach(event -> event.id().close()); // requests that are not served
        super.close();
    }

    private void joinThread() {
        boolean interrupted = Thread.interrupted();
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
