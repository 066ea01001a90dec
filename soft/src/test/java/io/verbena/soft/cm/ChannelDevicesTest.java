package io.verbena.soft.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.soft.SoftProvider;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.net.Loopback;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The devices that a wait on an event channel runs.
class ChannelDevicesTest {
    private static final InetAddress FIRST = Loopback.next();
    private static final InetAddress SECOND = Loopback.next();

    private final ConnectionManager cm = new SoftProvider().connectionManager();
    private final SoftEventChannel channel = (SoftEventChannel) cm.createEventChannel();

    @AfterEach
    void close() {
        channel.close();
    }

    private ConnectionId bound(InetAddress address) {
        ConnectionId id = cm.createId(channel, PortSpace.TCP);
        id.bind(new InetSocketAddress(address, 0));
        return id;
    }

    private static List<InetAddress> addresses(SoftEventChannel channel) {
        return channel.engines().stream()
                .map(Engine::wire)
                .map(wire -> wire.localAddress())
                .toList();
    }

    @Test
    void shouldNameEachDeviceOnce() {
        try (ConnectionId _ = bound(FIRST);
                ConnectionId _ = bound(FIRST);
                ConnectionId _ = bound(SECOND)) {
            assertEquals(List.of(FIRST, SECOND), addresses(channel));
        }
    }

    @Test
    void shouldForgetADeviceThatNoIdUses() {
        ConnectionId first = bound(FIRST);
        try (ConnectionId _ = bound(SECOND)) {
            first.close();
            assertEquals(List.of(SECOND), addresses(channel));
        }
        assertEquals(List.of(), addresses(channel));
    }

    @Test
    void shouldNameADeviceAgainAfterItWasForgotten() {
        bound(FIRST).close();
        assertEquals(List.of(), addresses(channel));
        try (ConnectionId _ = bound(FIRST)) {
            assertEquals(List.of(FIRST), addresses(channel));
        }
    }

    @Test
    void shouldKnowTheDeviceOfAnIdThatMovedHere() {
        SoftEventChannel other = (SoftEventChannel) cm.createEventChannel();
        try (ConnectionId moved = bound(FIRST)) {
            moved.migrate(other);
            assertEquals(List.of(FIRST), addresses(other));
        }
        other.close();
    }
}
