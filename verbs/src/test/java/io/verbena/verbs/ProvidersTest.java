package io.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.spi.Availability;
import io.verbena.verbs.spi.RdmaProvider;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProvidersTest {
    private final RdmaProvider soft = new Fake("soft", Availability.AVAILABLE);
    private final RdmaProvider adapters = new Fake("rdmacore", Availability.AVAILABLE);
    private final RdmaProvider absent =
            new Fake("absent", Availability.unavailable("no libibverbs here", "install rdma-core"));

    @Test
    void shouldAskAdaptersBeforeSoftware() {
        Providers providers = new Providers(List.of(soft, adapters));
        assertEquals("rdmacore", providers.preferred(null).name());
        assertEquals("rdmacore", providers.device("10.0.0.1", null).provider());
        assertEquals(2, providers.devices(null).size());
    }

    @Test
    void shouldAskOnlyTheWantedProvider() {
        Providers providers = new Providers(List.of(soft, adapters));
        assertEquals("soft", providers.preferred("soft").name());
        assertEquals("soft", providers.device("10.0.0.1", "soft").provider());
        assertEquals(1, providers.devices("soft").size());
    }

    @Test
    void shouldSayWhyAProviderCannotBeUsed() {
        Providers providers = new Providers(List.of(soft, absent));
        RdmaException refused = assertThrows(RdmaException.class, () -> providers.named("absent"));
        assertTrue(refused.getMessage().contains("no libibverbs here; install rdma-core"), refused.getMessage());
        assertEquals("soft", providers.preferred(null).name());
        assertThrows(RdmaException.class, () -> providers.device("10.0.0.1", "absent"));
    }

    @Test
    void shouldSayThatAnAddressIsNotOfThisHost() {
        Providers providers = new Providers(List.of(absent));
        // of a range for documentation, which nobody has
        assertTrue(refusal(providers, "203.0.113.7").contains("no address of this host"));
        assertTrue(refusal(providers, "2001:db8::7").contains("no address of this host"));
        assertTrue(refusal(providers, "127.0.0.1").contains("no provider has it"));
        assertTrue(refusal(providers, "mlx5_0").contains("no provider has it"));
    }

    private static String refusal(Providers providers, String nameOrAddress) {
        return assertThrows(RdmaException.class, () -> providers.device(nameOrAddress, null))
                .getMessage();
    }

    @Test
    void shouldSayWhatIsInstalledWhenTheNameIsUnknown() {
        Providers providers = new Providers(List.of(soft, absent));
        String message =
                assertThrows(RdmaException.class, () -> providers.named("sotf")).getMessage();
        assertTrue(message.contains("soft (available)"), message);
        assertTrue(message.contains("absent (unavailable"), message);
    }

    @Test
    void shouldKeepAProviderThatCannotBeMade() {
        RdmaProvider broken = Providers.make("com.example.Broken", () -> {
            throw new IllegalStateException("half installed");
        });
        assertFalse(broken.availability().isAvailable());
        assertTrue(broken.availability().cause().contains("half installed"));
        assertEquals(
                "soft", new Providers(List.of(broken, soft)).preferred(null).name());
    }

    private record Fake(String name, Availability availability) implements RdmaProvider {
        @Override
        public List<Device> devices() {
            return List.of(new FakeProvider.FakeDevice(name));
        }

        @Override
        public Optional<Device> device(String nameOrAddress) {
            return Optional.of(new FakeProvider.FakeDevice(name));
        }

        @Override
        public ConnectionManager connectionManager() {
            throw new UnsupportedOperationException("not asked for here");
        }
    }
}
