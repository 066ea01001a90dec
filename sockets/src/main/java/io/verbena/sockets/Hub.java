package io.verbena.sockets;

import io.verbena.verbs.Errno;
import io.verbena.verbs.Poller;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.ConnectionId;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/// All RDMA connections and listeners of one local address: their completion queue and their connection events.
///
/// A thread that waits polls for a while. Then it becomes the *leader*, which sleeps at the device's channels for all,
/// or a *follower*, which is woken by whoever polls. A leader that has what it waited for makes a follower the next
/// leader. While the program does nothing, the [HubThread] leads.
final class Hub {
    private static final int POLLS_PER_CLOCK = 16;
    private static final int POLLS_PER_EVENTS = 64;
    private static final long LONGEST_PARK_NS = 60_000_000_000L;

    private final InetAddress address;
    private final HubDevice device;
    private final AtomicReference<Object> leader = new AtomicReference<>();
    private final ConcurrentLinkedQueue<Waiter> followers = new ConcurrentLinkedQueue<>();
    private final HubThread thread;
    private final AtomicBoolean isWarm = new AtomicBoolean();

    /// Changes whenever a thread of the program polls. Lost increments do no harm.
    private volatile int polls;

    /// What the leader sleeps at; closed to wake it.
    private volatile Poller poller;

    private volatile boolean isAsleep;

    /// @throws RdmaException when no device serves the address
    Hub(InetAddress address) {
        this.address = address;
        device = new HubDevice(address);
        poller = device.newPoller();
        thread = new HubThread(this);
        thread.start();
    }

    InetAddress address() {
        return address;
    }

    HubDevice device() {
        return device;
    }

    HubStreams streams() {
        return device.streams();
    }

    HubThread thread() {
        return thread;
    }

    /// An id whose events come here.
    ConnectionId createId() {
        return device.createId();
    }

    /// Before the first listener: the first connection of a JVM loads many classes, and its client waits 250 ms.
    void warmUp() {
        if (!isWarm.getAndSet(true)) {
            ConnectionId id = createId();
            try {
                id.bind(new InetSocketAddress(address, 0));
                new RdmaStream(this, new SocketSettings(), id).warmUp();
            } catch (RuntimeException e) {
                id.close();
                throw e;
            }
        }
    }

    // ---- polling ----

    /// Takes what is there, unless another thread does so.
    void poll() {
        polls++;
        device.tryPoll(false);
    }

    /// Takes events of the connection manager, too, also while completions come without a pause. Does not count as the
    /// poll of a program, because whoever waits for a connection relies on the [HubThread] between two calls.
    void pollEvents() {
        device.tryPollAll();
    }

    int polls() {
        return polls;
    }

    // ---- waiting ----

    /// Polls until the waiter is ready or the time is over.
    boolean spin(Waiter waiter, long spinNs) {
        if (waiter.isReady()) {
            return true;
        }
        if (Thread.currentThread().isVirtual()) {
            polls++;
            device.tryPoll(true);
            return waiter.isReady();
        }
        long startNs = System.nanoTime();
        for (int i = 1; ; i++) {
            polls++;
            device.tryPoll(i % POLLS_PER_EVENTS == 0);
            if (waiter.isReady()) {
                return true;
            }
            if (i % POLLS_PER_CLOCK == 0) {
                if (System.nanoTime() - startNs >= spinNs) {
                    return false;
                }
                // The peer may wait for this very processor, where the message has woken it.
                Thread.yield();
            }
            Thread.onSpinWait();
        }
    }

    /// Sleeps until the waiter is ready or the time is over, or the thread is interrupted.
    void await(Waiter waiter, long deadlineNs) {
        try {
            awaitReady(waiter, deadlineNs);
        } finally {
            // A leader that left may have woken this thread to be the next, and it has no need to wait any more.
            if (leader.get() == null) {
                wakeNextLeader();
            }
        }
    }

    private void awaitReady(Waiter waiter, long deadlineNs) {
        while (!waiter.isReady() && !Thread.currentThread().isInterrupted()) {
            if (deadlineNs - System.nanoTime() <= 0) {
                return;
            }
            if (waiter.canLead() && leader.compareAndSet(null, waiter)) {
                waiter.leading(this);
                try {
                    lead(waiter, deadlineNs);
                } finally {
                    waiter.leading(null);
                    stopLeading();
                }
            } else {
                follow(waiter, deadlineNs);
            }
        }
    }

    private void follow(Waiter waiter, long deadlineNs) {
        beginFollow(waiter);
        try {
            // A leader that left before it saw this follower has not woken it.
            boolean mayPark = leader.get() != null || !waiter.canLead();
            if (mayPark && !waiter.isReady()) {
                waiter.park(Math.min(deadlineNs - System.nanoTime(), LONGEST_PARK_NS));
            }
        } finally {
            followers.remove(waiter);
        }
    }

    /// From now on the waiter is woken when something came for it, by a leader that this call sees to.
    void beginFollow(Waiter waiter) {
        followers.add(waiter);
        Object now = leader.get();
        if (now == null && !waiter.canLead()) {
            thread.request();
        } else if (now == thread && waiter.canLead()) {
            thread.yieldLead();
        }
    }

    void endFollow(Waiter waiter) {
        followers.remove(waiter);
    }

    private void lead(Waiter waiter, long deadlineNs) {
        while (!Thread.currentThread().isInterrupted()) {
            polls++;
            device.pollAll(true);
            isAsleep = true;
            try {
                long leftNs = deadlineNs - System.nanoTime();
                if (waiter.isReady() || leftNs <= 0) {
                    return;
                }
                sleep(leftNs);
            } finally {
                isAsleep = false;
            }
        }
    }

    /// Sleeps at the channels, and takes the event that a completion has fired.
    private void sleep(long longestNs) {
        try {
            poller.await(Duration.ofNanos(longestNs));
        } catch (RdmaException e) {
            if (e.errno() == Errno.EINTR) {
                Thread.currentThread().interrupt();
            } else if (e.errno() != Errno.EBADF) {
                throw e;
            } else {
                poller = device.newPoller(); // it was closed to wake this thread
            }
        }
        device.takeFired();
    }

    /// Pairs with [#lead]: either the leader sees what it is woken for, or this thread sees it asleep.
    void wakeLeader() {
        if (isAsleep) {
            poller.close();
        }
    }

    private void stopLeading() {
        leader.set(null);
        wakeNextLeader();
    }

    private void wakeNextLeader() {
        for (Waiter follower : followers) {
            if (follower.canLead()) {
                follower.wake();
                return;
            }
        }
        thread.onLeaderLeft();
    }

    // ---- for the thread of the hub ----

    boolean hasFollowers() {
        return !followers.isEmpty();
    }

    boolean hasLeader() {
        return leader.get() != null;
    }

    /// Leads until the program polls by itself, or the condition ends.
    void leadInBackground(HubThread me) {
        if (!leader.compareAndSet(null, me)) {
            return;
        }
        int seen = polls;
        try {
            while (polls == seen && !me.mustYield()) {
                device.pollAll(true);
                isAsleep = true;
                try {
                    if (!me.mustYield()) {
                        sleep(me.longestSleepNs());
                    }
                } finally {
                    isAsleep = false;
                }
                me.executeTasks();
            }
            device.pollAll(false);
        } finally {
            leader.set(null);
            for (Waiter follower : followers) {
                if (follower.canLead()) {
                    follower.wake();
                    break;
                }
            }
        }
    }

    void wakeThread() {
        LockSupport.unpark(thread.thread());
        if (leader.get() == thread) {
            wakeLeader();
        }
    }

    @Override
    public String toString() {
        return "hub of " + address.getHostAddress();
    }
}
