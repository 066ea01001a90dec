package io.verbena.soft.qp;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.Timer;
import io.verbena.soft.net.ClosedPort;
import io.verbena.verbs.Errno;
import io.verbena.verbs.attr.Gid;
import java.net.InetAddress;

/// Sends keep-alives to the silent peer of a connection over the network. A program that only waits for messages would
/// otherwise never learn that its peer is gone. A keep-alive is a duplicate request, which every RoCE device
/// acknowledges again and no program sees. Only connections of the connection manager have keep-alives, and it reports
/// their end. Owned by the engine.
final class LivenessTimer extends Timer {
    /// Enough keep-alives for networks that lose every fifth packet.
    private static final int MOST_KEEP_ALIVES = 16;

    /// The time between keep-alives, as a part of the silence before: 1/32.
    private static final int PAUSE_SHIFT = 5;

    /// Connections that began together do not all send keep-alives at once: depending on the last bits of their
    /// numbers, some begin up to a quarter of the time earlier.
    private static final int SPREAD_MASK = 0xFF;

    private static final int SPREAD_SHIFT = 10;

    private final ReliableConnection connection;
    private final Requester requester;
    private final Engine engine;
    private final QueuePairSettings settings;

    /// When the newest packet of the peer arrived.
    private long heardNs;

    private int keepAlives;
    /// Whether it was determined if the peer is a process of this host.
    private boolean isPlaceKnown;

    private boolean isOfThisHost;

    LivenessTimer(ReliableConnection connection, Requester requester) {
        this.connection = connection;
        this.requester = requester;
        this.engine = connection.engine;
        this.settings = connection.settings;
    }

    void start() {
        isPlaceKnown = false;
        if (isOn()) {
            heardNs = engine.nowNs();
            keepAlives = 0;
            engine.timers().arm(this, heardNs + silenceNs());
        }
    }

    void stop() {
        engine.timers().cancel(this);
    }

    /// Any packet of the peer shows that it is alive.
    void onPacket(long nowNs) {
        heardNs = nowNs;
    }

    @Override
    public void onExpiry(long nowNs) {
        long silenceNs = silenceNs();
        if (nowNs - heardNs < silenceNs) {
            keepAlives = 0;
            engine.timers().arm(this, heardNs + silenceNs);
        } else if (connection.holdsSends() || requester.isTimed()) {
            // Before the peer is ready, the connection manager has timers of its own; so have requests in flight.
            keepAlives = 0;
            engine.timers().arm(this, nowNs + silenceNs);
        } else if (keepAlives == MOST_KEEP_ALIVES) {
            end(Errno.ETIMEDOUT);
        } else if (keepAlives > 0 && isPeerClosed()) {
            end(Errno.ECONNRESET);
        } else {
            // While the socket is full, the silence is not the peer's fault.
            if (requester.sendKeepAlive()) {
                keepAlives++;
                engine.counters().increment(Counter.KEEP_ALIVES_SENT);
            }
            engine.timers().arm(this, nowNs + (settings.livenessNs >> PAUSE_SHIFT));
        }
    }

    private long silenceNs() {
        return settings.livenessNs - (connection.number() & SPREAD_MASK) * (settings.livenessNs >> SPREAD_SHIFT);
    }

    private boolean isOn() {
        return settings.livenessNs > 0;
    }

    /// Whether the peer was a process of this host that has ended. Needs system calls; for a peer on another host only
    /// once.
    boolean isPeerClosed() {
        if (!isOn() || engine.simulation() != null) {
            return false;
        }
        InetAddress peer = new Gid(settings.peerHigh, settings.peerLow).address();
        if (!isPlaceKnown) {
            isPlaceKnown = true;
            isOfThisHost = ClosedPort.isOfThisHost(peer);
        }
        return isOfThisHost && ClosedPort.isAt(peer);
    }

    /// The peer is gone, for that reason.
    void end(Errno reason) {
        if (isOn()) {
            connection.onPeerGone(reason);
        }
    }
}
