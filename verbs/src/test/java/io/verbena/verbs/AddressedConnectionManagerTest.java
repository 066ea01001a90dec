package io.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.ConnectionOption;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// A machine with an adapter that has the address 10.0.0.1.
class AddressedConnectionManagerTest {
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress("127.0.0.1", 7471);
    private static final InetSocketAddress ADAPTER = new InetSocketAddress("10.0.0.1", 7471);
    private static final InetSocketAddress ANYWHERE = new InetSocketAddress("0.0.0.0", 7471);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final FakeProvider adapters = new FakeProvider("rdmacore", "10.0.0.1");
    private final FakeProvider soft = new FakeProvider("soft", "127.0.0.1");
    private final Providers providers = new Providers(List.of(soft, adapters));
    private final ConnectionManager cm = providers.connectionManager(null);

    private String providerOf(InetSocketAddress local, InetSocketAddress peer) {
        try (ConnectionId id = cm.createEndpoint(PortSpace.TCP, local, peer, PATIENCE)) {
            return FakeProvider.nameOf(id);
        }
    }

    @Test
    void shouldTakeTheProviderThatServesTheAddress() {
        assertEquals("soft", providerOf(LOOPBACK, null));
        assertEquals("rdmacore", providerOf(ADAPTER, null));
        assertEquals("rdmacore", providerOf(ADAPTER, LOOPBACK));
    }

    @Test
    void shouldTakeTheProviderThatTheWayToThePeerLeadsThrough() {
        assertEquals("soft", providerOf(null, LOOPBACK));
        assertEquals("soft", providerOf(ANYWHERE, LOOPBACK));
    }

    @Test
    void shouldPreferAdaptersWhenAnyAddressWillDo() {
        assertEquals("rdmacore", providerOf(ANYWHERE, null));
        try (ConnectionId id = cm.createSynchronousId(PortSpace.TCP)) {
            id.listen(0);
            assertEquals("rdmacore", FakeProvider.nameOf(id));
        }
    }

    @Test
    void shouldBeTheWantedProviders() {
        assertSame(soft.connectionManager(), providers.connectionManager("soft"));
        assertSame(adapters.connectionManager(), new Providers(List.of(adapters)).connectionManager(null));
    }

    @Test
    void shouldLeaveNothingOpen() {
        providerOf(LOOPBACK, null);
        cm.createSynchronousId(PortSpace.TCP).close();
        assertEquals(0, soft.openIds() + adapters.openIds());
    }

    @Test
    void shouldPassOnWhatWasSetBeforeTheAddressWasKnown() {
        try (ConnectionId id = cm.createSynchronousId(PortSpace.TCP)) {
            assertNull(id.context());
            assertNull(id.event());
            id.timeout(Duration.ofSeconds(3));
            id.option(ConnectionOption.TYPE_OF_SERVICE, 8);
            id.attachment("mine");
            assertThrows(RdmaException.class, () -> id.option(ConnectionOption.REUSE_ADDRESS, 2));
            id.bind(LOOPBACK);
            assertEquals(Duration.ofSeconds(3), id.timeout());
            assertEquals("mine", id.attachment());
            assertTrue(soft.calls().contains("option TYPE_OF_SERVICE 8"), soft.calls()::toString);
        }
    }

    @Test
    void shouldNameTheProgramsIdsInEvents() {
        try (EventChannel channel = cm.createEventChannel();
                ConnectionId id = cm.createId(channel, PortSpace.TCP)) {
            assertNull(channel.tryTake());
            id.resolveAddress(null, LOOPBACK, PATIENCE);
            CmEvent event = channel.await(PATIENCE);
            assertEquals(CmEventType.ADDRESS_RESOLVED, event.type());
            assertSame(id, event.id());
            assertSame(channel, id.channel());
        }
    }

    @Test
    void shouldNameTheSameIdOfARequestAgainAndAgain() {
        try (EventChannel channel = cm.createEventChannel();
                ConnectionId listener = cm.createId(channel, PortSpace.TCP)) {
            listener.bind(LOOPBACK);
            listener.listen(0);
            CmEvent request = channel.await(PATIENCE);
            CmEvent later = channel.await(PATIENCE);
            assertSame(listener, request.listener());
            assertSame(request.id(), later.id());
            assertSame(channel, request.id().channel());
            request.id().close();
        }
    }

    @Test
    void shouldWakeAThreadThatWaitsBeforeTheAddressIsKnown() {
        try (EventChannel channel = cm.createEventChannel();
                ConnectionId id = cm.createId(channel, PortSpace.TCP)) {
            CompletableFuture<CmEvent> taken = CompletableFuture.supplyAsync(() -> channel.await(PATIENCE));
            id.resolveAddress(null, LOOPBACK, PATIENCE);
            assertSame(id, taken.join().id());
        }
    }

    @Test
    void shouldRefuseIdsOfTwoProvidersOnOneChannel() {
        try (EventChannel channel = cm.createEventChannel();
                ConnectionId first = cm.createId(channel, PortSpace.TCP);
                ConnectionId second = cm.createId(channel, PortSpace.TCP)) {
            first.bind(LOOPBACK);
            String message = assertThrows(RdmaException.class, () -> second.bind(ADAPTER))
                    .getMessage();
            assertTrue(message.contains("-Dverbena.provider"), message);
            assertEquals(
                    Errno.EBUSY,
                    assertThrows(RdmaException.class, channel::close).errno());
        }
    }

    @Test
    void shouldMoveIdsToAnotherChannel() {
        EventChannel channel = cm.createEventChannel();
        try (EventChannel target = cm.createEventChannel();
                ConnectionId id = cm.createId(channel, PortSpace.TCP)) {
            id.migrate(target);
            channel.close();
            id.bind(LOOPBACK);
            assertSame(target, id.channel());
            assertTrue(target.unwrap() != target);
        }
    }
}
