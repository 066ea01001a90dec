package io.verbena.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.verbena.junit.LoopbackDevices;
import io.verbena.junit.RdmaTest;
import io.verbena.soft.option.SoftOptions;
import io.verbena.verbs.Context;
import io.verbena.verbs.Errno;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.ConnectionManager;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A client that is started before its server: at first no process has the server's device open.
@RdmaTest
@Timeout(60)
class LateServerTest extends EndpointFixture {
    private static final int PORT = 7479;

    /// Starts the server before the third attempt to connect.
    private ConnectionManager startingTheServer() {
        AtomicInteger attempts = new AtomicInteger();
        ConnectionManager real = Rdma.connectionManager();
        return (ConnectionManager) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {ConnectionManager.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("createEndpoint") && attempts.incrementAndGet() == 3) {
                        server = Endpoint.listen(address, PORT, serverOptions);
                        start(Thread.ofPlatform(), () -> server.serve(client -> client.forEach(client::send)));
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void shouldConnectToAServerWhoseDeviceIsOpenedLater(LoopbackDevices devices) {
        Context unused = devices.open(SoftOptions.defaults());
        address = devices.address(unused).getHostAddress();
        unused.close();
        try (Connection client = Endpoint.connect(address, PORT, clientOptions.connectionManager(startingTheServer()));
                Message answer = ask(client)) {
            assertEquals("late", answer.text());
        }
    }

    /// Neither where the device is not open, nor where it is and nobody listens at the port.
    @Test
    void shouldNotWaitForAServerThatHasEnded(LoopbackDevices devices) {
        EndpointOptions impatient = clientOptions.awaitServer(false).connectTimeout(Duration.ofHours(1));
        Context device = devices.open(SoftOptions.defaults());
        address = devices.address(device).getHostAddress();
        refused(Errno.ECONNREFUSED, () -> Endpoint.connect(address, PORT, impatient));
        device.close();
        refused(Errno.ECONNREFUSED, () -> Endpoint.connect(address, PORT, impatient));
    }

    /// Another program has the port of RoCEv2 there, so no port of RDMA helps.
    @Test
    void shouldNotAdviseAnotherPortWhereTheAddressItselfIsTaken(LoopbackDevices devices) throws Exception {
        address = devices.address().getHostAddress();
        try (DatagramSocket _ = new DatagramSocket(new InetSocketAddress(address, 4791))) {
            RdmaException taken = refused(
                    Errno.EADDRINUSE, () -> Endpoint.listen(address, PORT).close());
            assertFalse(taken.getMessage().contains("another port"), taken::getMessage);
        }
    }

    private static Message ask(Connection client) {
        client.send("late");
        return client.receive(LONG);
    }
}
