package io.verbena.sockets;

import java.lang.System.Logger.Level;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/// Does the work of a hub while no thread of the program does: connections are accepted, what was written leaves, and
/// what was closed is released. It checks now and then whether the program polls, and leads if it does not.
final class HubThread {
    private static final System.Logger LOG = System.getLogger("io.verbena.sockets");

    private static final long SHORTEST_TICK_NS = 2_000_000;
    private static final long LONGEST_TICK_NS = 20_000_000;
    private static final long LONGEST_SLEEP_NS = 60_000_000_000L;
    private static final long CLOSING_SLEEP_NS = 50_000_000;
    private static final long PAUSE_AFTER_FAULT_NS = 10_000_000;

    private final Hub hub;
    private final Thread thread;
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private volatile boolean isRequested;
    private volatile boolean isYielding;
    private volatile boolean isResting;

    HubThread(Hub hub) {
        this.hub = hub;
        thread = Thread.ofPlatform()
                .daemon()
                .name("verbena-sockets-" + hub.address().getHostAddress())
                .unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    Thread thread() {
        return thread;
    }

    /// Somebody relies on this thread as the leader.
    void request() {
        isRequested = true;
        LockSupport.unpark(thread);
    }

    /// A thread of the program wants to lead.
    void yieldLead() {
        isYielding = true;
        hub.wakeLeader();
    }

    /// The thread of the program that led does something else now.
    void onLeaderLeft() {
        if (isResting) {
            LockSupport.unpark(thread);
        }
    }

    /// Whether it relies on another thread that leads.
    boolean isResting() {
        return isResting;
    }

    boolean mustYield() {
        return isYielding || !tasks.isEmpty();
    }

    /// Executes something soon, outside of all locks.
    void execute(Runnable task) {
        tasks.add(task);
        hub.wakeThread();
    }

    long longestSleepNs() {
        return hub.streams().hasClosing() ? CLOSING_SLEEP_NS : LONGEST_SLEEP_NS;
    }

    void executeTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            try {
                task.run();
            } catch (RuntimeException e) {
                LOG.log(Level.WARNING, () -> "a task of " + hub + " failed", e);
            }
        }
        hub.streams().checkClosing(System.nanoTime());
    }

    private void run() {
        int seen = hub.polls() - 1;
        boolean ledBefore = false;
        long tickNs = SHORTEST_TICK_NS;
        while (true) {
            try {
                executeTasks();
                boolean isLed = hub.hasLeader();
                int polls = hub.polls();
                boolean isPolled = polls != seen;
                seen = polls;
                if (isLed && ledBefore && !isPolled) {
                    rest();
                } else if (!isLed && (isRequested || !isPolled)) {
                    isRequested = false;
                    hub.leadInBackground(this);
                    tickNs = SHORTEST_TICK_NS;
                    if (isYielding) {
                        isYielding = false;
                        LockSupport.parkNanos(this, tickNs); // the thread that wants to lead comes first
                    }
                } else {
                    hub.pollEvents(); // a program that polls by itself looks at completions alone
                    boolean isNeeded = hub.hasFollowers() || hub.streams().hasClosing();
                    LockSupport.parkNanos(this, isNeeded ? SHORTEST_TICK_NS : tickNs);
                    tickNs = Math.min(2 * tickNs, LONGEST_TICK_NS);
                }
                ledBefore = isLed;
            } catch (RuntimeException | Error e) {
                LOG.log(Level.WARNING, () -> "the thread of " + hub + " goes on after a fault", e);
                LockSupport.parkNanos(this, PAUSE_AFTER_FAULT_NS);
            }
        }
    }

    /// A thread of the program leads, and has nothing to do. It tells this thread when it leaves.
    private void rest() {
        isResting = true;
        try {
            if (hub.hasLeader() && tasks.isEmpty() && !isRequested) {
                LockSupport.parkNanos(this, longestSleepNs());
            }
        } finally {
            isResting = false;
        }
    }
}
