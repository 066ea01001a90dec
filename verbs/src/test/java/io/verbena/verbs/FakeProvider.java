package io.verbena.verbs;

import io.verbena.verbs.attr.NodeType;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import io.verbena.verbs.spi.Availability;
import io.verbena.verbs.spi.RdmaProvider;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.stream.Collectors;

/// A provider with one address. Its ids remember what they are told; a listener gets a request at once.
final class FakeProvider implements RdmaProvider, ConnectionManager {
    private final String name;
    private final String address;
    private final List<String> calls = new ArrayList<>();
    private int openIds;

    FakeProvider(String name, String address) {
        this.name = name;
        this.address = address;
    }

    /// The name of the provider of an id, which the fakes return as their text.
    static String nameOf(ConnectionId id) {
        return id.toString();
    }

    List<String> calls() {
        return calls;
    }

    int openIds() {
        return openIds;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Availability availability() {
        return Availability.AVAILABLE;
    }

    @Override
    public List<Device> devices() {
        return List.of(new FakeDevice(name));
    }

    @Override
    public Optional<Device> device(String nameOrAddress) {
        return nameOrAddress.equals(address) ? Optional.of(new FakeDevice(name)) : Optional.empty();
    }

    @Override
    public ConnectionManager connectionManager() {
        return this;
    }

    @Override
    public EventChannel createEventChannel() {
        return new FakeChannel();
    }

    @Override
    public ConnectionId createId(EventChannel channel, PortSpace space) {
        return newId((FakeChannel) channel);
    }

    @Override
    public ConnectionId createSynchronousId(PortSpace space) {
        return newId(new FakeChannel());
    }

    private ConnectionId newId(FakeChannel channel) {
        openIds++;
        return (ConnectionId) Proxy.newProxyInstance(
                ConnectionId.class.getClassLoader(), new Class<?>[] {ConnectionId.class}, new FakeId(channel));
    }

    private final class FakeId implements InvocationHandler {
        private final FakeChannel channel;
        private Object attachment;
        private Duration timeout;

        FakeId(FakeChannel channel) {
            this.channel = channel;
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) {
            ConnectionId id = (ConnectionId) proxy;
            Object first = arguments == null ? null : arguments[0];
            calls.add(method.getName() + " "
                    + (arguments == null
                            ? ""
                            : Arrays.stream(arguments).map(String::valueOf).collect(Collectors.joining(" "))));
            switch (method.getName()) {
                case "bind" -> bind((InetSocketAddress) first);
                case "resolveAddress" -> channel.put(CmEvent.of(CmEventType.ADDRESS_RESOLVED, id, 0));
                case "listen" -> listen(id);
                case "close" -> openIds--;
                case "attachment" -> attachment = first == null ? attachment : first;
                case "timeout" -> timeout = first == null ? timeout : (Duration) first;
                default -> {}
            }
            return switch (method.getName()) {
                case "toString" -> name;
                case "hashCode" -> System.identityHashCode(proxy);
                case "equals" -> proxy == first;
                case "portSpace" -> PortSpace.TCP;
                case "attachment" -> first == null ? attachment : null;
                case "timeout" -> first == null ? timeout : null;
                default -> null;
            };
        }

        private void bind(InetSocketAddress local) {
            if (!local.getAddress().isAnyLocalAddress()
                    && !local.getAddress().getHostAddress().equals(address)) {
                throw new RdmaException("rdma_bind_addr", Errno.ENODEV, "not an address of " + name);
            }
        }

        private void listen(ConnectionId listener) {
            ConnectionId request = newId(channel);
            channel.put(
                    new CmEvent(CmEventType.CONNECT_REQUEST, request, listener, 0, ConnectionParameters.DEFAULT, null));
            channel.put(CmEvent.of(CmEventType.ESTABLISHED, request, 0));
        }
    }

    private static final class FakeChannel implements EventChannel {
        private final Queue<CmEvent> events = new ArrayDeque<>();

        synchronized void put(CmEvent event) {
            events.add(event);
            notifyAll();
        }

        @Override
        public synchronized CmEvent await(Duration timeout) {
            try {
                if (events.isEmpty() && !timeout.isZero()) {
                    wait(timeout.toMillis());
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return events.poll();
        }

        @Override
        public synchronized boolean isReady() {
            return !events.isEmpty();
        }

        @Override
        public Poller newPoller() {
            throw new UnsupportedOperationException("not asked for here");
        }

        @Override
        public void close() {}
    }

    record FakeDevice(String provider) implements Device {
        @Override
        public String name() {
            return provider + "0";
        }

        @Override
        public long guid() {
            return 1;
        }

        @Override
        public NodeType nodeType() {
            return NodeType.CHANNEL_ADAPTER;
        }

        @Override
        public Context open() {
            throw new UnsupportedOperationException("not asked for here");
        }
    }
}
