package io.verbena.sockets;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// How the thread of an [RdmaSelector] waits. With channels over RDMA of one address alone it sleeps at the device's
/// channel itself. With channels of the JDK it sleeps in the JDK's selector, and the hubs wake it.
final class SelectorSleep {
    private static final int POLLS_PER_JDK = 32;

    private final RdmaSelector selector;
    private final SpinBudget budget = new SpinBudget();

    /// The hubs of the registered channels, and how many channels each has.
    private final Map<Hub, Integer> hubs = new HashMap<>();

    private List<Hub> hubList = List.of();
    private final Map<RdmaSelectionKey, List<Hub>> hubsOfKeys = new HashMap<>();

    /// Null until a channel of the JDK is registered.
    private Selector jdk;

    private int jdkKeys;

    /// The waiter of the thread that sleeps; null while none does.
    private volatile SelectorWaiter sleeping;

    SelectorSleep(RdmaSelector selector) {
        this.selector = selector;
    }

    // ---- of the selecting thread ----

    /// Takes notice of what kind of channel it is.
    void attach(RdmaSelectionKey key) throws IOException {
        if (key.isTransportKnown) {
            return;
        }
        key.isTransportKnown = true;
        SelectableSource<?> source = key.source();
        if (source != null) {
            forgetHubs(key);
            List<Hub> needed = source.hubs();
            if (!needed.isEmpty()) {
                hubsOfKeys.put(key, needed);
                needed.forEach(hub -> hubs.merge(hub, 1, Integer::sum));
                hubList = new ArrayList<>(hubs.keySet());
            }
        }
        SelectableChannel channel = source == null ? key.channel() : source.tcp();
        if (channel != null && key.jdkKey() == null) {
            registerJdk(key, channel);
        }
    }

    private void registerJdk(RdmaSelectionKey key, SelectableChannel channel) throws IOException {
        if (jdk == null) {
            jdk = JdkProvider.get().openSelector();
        }
        SelectionKey old = channel.keyFor(jdk);
        if (old != null && !old.isValid()) {
            jdk.selectNow(); // takes cancelled keys out
        }
        try {
            key.jdkKey(channel.register(jdk, key.interest(), key));
            jdkKeys++;
        } catch (ClosedChannelException closedMeanwhile) {
            // Its key is cancelled then.
        }
    }

    private void forgetHubs(RdmaSelectionKey key) {
        List<Hub> before = hubsOfKeys.remove(key);
        if (before != null) {
            before.forEach(hub -> hubs.computeIfPresent(hub, (same, count) -> count == 1 ? null : count - 1));
            hubList = new ArrayList<>(hubs.keySet());
        }
    }

    void detach(RdmaSelectionKey key) {
        forgetHubs(key);
        SelectionKey inner = key.jdkKey();
        if (inner != null) {
            inner.cancel();
            key.jdkKey(null);
            jdkKeys--;
        }
    }

    /// Takes cancelled keys out of the JDK's selector.
    void flushJdk() throws IOException {
        if (jdk != null) {
            jdk.selectNow();
            takeJdk();
        }
    }

    /// Asks the JDK's selector, without waiting.
    void selectJdk() throws IOException {
        if (jdkKeys > 0) {
            jdk.selectNow();
            takeJdk();
        }
    }

    private void takeJdk() {
        if (jdk.selectedKeys().isEmpty()) {
            return;
        }
        for (SelectionKey key : jdk.selectedKeys()) {
            RdmaSelectionKey ours = (RdmaSelectionKey) key.attachment();
            if (key.isValid()) {
                ours.jdkReady = key.readyOps();
                selector.addCandidate(ours);
            }
        }
        jdk.selectedKeys().clear();
    }

    /// Takes what has come for channels over RDMA.
    void poll() {
        for (Hub hub : hubList) {
            hub.poll();
        }
    }

    void sleep(long deadlineNs) throws IOException {
        long startNs = System.nanoTime();
        boolean needsJdk = jdkKeys > 0 || hubList.size() > 1;
        SelectorWaiter waiter = new SelectorWaiter(needsJdk ? jdkSelector() : null);
        sleeping = waiter;
        try {
            long spinNs = Math.min(budget.budgetNs(), deadlineNs - startNs);
            if (needsJdk) {
                if (!spinWithJdk(waiter, startNs, spinNs)) {
                    sleepInJdk(waiter, deadlineNs);
                }
            } else if (hubList.isEmpty()) {
                if (!waiter.isReady()) {
                    waiter.park(deadlineNs - startNs);
                }
            } else {
                Hub hub = hubList.getFirst();
                if (!hub.spin(waiter, spinNs)) {
                    hub.await(waiter, deadlineNs);
                }
            }
        } finally {
            sleeping = null;
        }
        budget.onWaited(System.nanoTime() - startNs);
    }

    private Selector jdkSelector() throws IOException {
        if (jdk == null) {
            jdk = JdkProvider.get().openSelector();
        }
        return jdk;
    }

    private boolean spinWithJdk(SelectorWaiter waiter, long startNs, long spinNs) throws IOException {
        if (hubList.isEmpty() || Thread.currentThread().isVirtual()) {
            return waiter.isReady();
        }
        for (int i = 1; ; i++) {
            poll();
            if (waiter.isReady()) {
                return true;
            }
            if (i % POLLS_PER_JDK == 0) {
                if (jdk.selectNow() > 0) {
                    takeJdk();
                    return true;
                }
                if (System.nanoTime() - startNs >= spinNs) {
                    return false;
                }
                Thread.yield(); // as a hub does
            }
            Thread.onSpinWait();
        }
    }

    private void sleepInJdk(SelectorWaiter waiter, long deadlineNs) throws IOException {
        hubList.forEach(hub -> hub.beginFollow(waiter));
        try {
            long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime() + 999_999);
            if (!waiter.isReady() && leftMs > 0) {
                jdk.select(leftMs);
                takeJdk();
            }
        } finally {
            hubList.forEach(hub -> hub.endFollow(waiter));
        }
    }

    // ---- of any thread ----

    /// Makes a thread that sleeps look again.
    void signal() {
        SelectorWaiter waiter = sleeping;
        if (waiter != null) {
            waiter.onReady();
        }
    }

    /// A sleeping thread does not know the hub or the channel of a new key.
    void signalForNewKey() {
        signal();
    }

    void close() throws IOException {
        if (jdk != null) {
            jdk.close();
        }
    }

    /// The thread that selects.
    private final class SelectorWaiter extends Waiter {
        /// Where the thread sleeps, if not at a hub.
        private final Selector sleepsIn;

        SelectorWaiter(Selector sleepsIn) {
            this.sleepsIn = sleepsIn;
        }

        @Override
        boolean isReady() {
            return selector.hasQueued() || selector.isWoken() || !selector.isOpen();
        }

        @Override
        boolean canLead() {
            return sleepsIn == null && super.canLead();
        }

        @Override
        void wake() {
            if (sleepsIn != null) {
                sleepsIn.wakeup();
            } else {
                super.wake();
            }
        }
    }
}
