package io.verbena.sockets;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A thread that waits for a connection to a server that may be served by several hubs, and by TCP.
final class AcceptWaiter extends Waiter {
    private final ServerListening listening;
    private final RdmaServerSocketChannel channel;

    /// Where the thread sleeps when there is TCP, too; else null.
    private volatile Selector jdk;

    AcceptWaiter(RdmaServerSocketChannel channel, ServerListening listening) {
        this.channel = channel;
        this.listening = listening;
    }

    @Override
    boolean isReady() {
        return !listening.queue().isEmpty() || !channel.isOpen();
    }

    @Override
    boolean canLead() {
        return jdk == null && listening.hubs().size() == 1 && super.canLead();
    }

    @Override
    void wake() {
        Selector sleepsIn = jdk;
        if (sleepsIn != null) {
            sleepsIn.wakeup();
        } else {
            super.wake();
        }
    }

    /// Returns when a connection may be there, or the time is over, or the thread is interrupted.
    void await(long deadlineNs) throws IOException {
        ServerSocketChannel tcp = listening.tcp();
        listening.queue().addListener(this);
        try (Selector selector = tcp == null ? null : JdkProvider.get().openSelector()) {
            if (selector != null) {
                jdk = selector;
                tcp.register(selector, SelectionKey.OP_ACCEPT);
            }
            await(listening.hubs(), deadlineNs);
        } finally {
            listening.queue().removeListener(this);
        }
    }

    private void await(List<Hub> hubs, long deadlineNs) throws IOException {
        if (jdk == null && hubs.size() == 1) {
            hubs.getFirst().await(this, deadlineNs);
            return;
        }
        hubs.forEach(hub -> hub.beginFollow(this));
        try {
            long leftNs = deadlineNs - System.nanoTime();
            if (isReady() || leftNs <= 0) {
                return;
            }
            if (jdk != null) {
                jdk.select(Math.max(1, TimeUnit.NANOSECONDS.toMillis(leftNs)));
            } else {
                park(leftNs);
            }
        } finally {
            hubs.forEach(hub -> hub.endFollow(this));
        }
    }
}
