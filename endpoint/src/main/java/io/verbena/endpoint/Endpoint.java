package io.verbena.endpoint;

import java.util.Objects;
import java.util.function.Supplier;

/// Where programs start that want connections instead of queue pairs.
///
/// A server that returns every message, with a virtual thread for each connection:
///
/// ```java
/// try (var server = Endpoint.listen("0.0.0.0", 7471)) {
///     server.serve(connection -> {
///         for (Message message : connection) connection.send(message);
///     });
/// }
/// ```
///
/// And its client:
///
/// ```java
/// try (var connection = Endpoint.connect("10.0.0.2", 7471)) {
///     connection.send("hello");
///     try (Message answer = connection.receive(Duration.ofSeconds(2))) {
///         IO.println(answer.text());
///     }
/// }
/// ```
///
/// Messages are not encrypted and peers are not asked who they are, as with all of RDMA: use it in networks that you
/// trust.
public final class Endpoint {
    private Endpoint() {}

    /// Listens on an address and port; `0.0.0.0` for all addresses of this host, port 0 for any free port.
    public static EndpointServer listen(String address, int port) {
        return listen(address, port, EndpointOptions.defaults());
    }

    /// Listens with options.
    public static EndpointServer listen(String address, int port, EndpointOptions options) {
        Objects.requireNonNull(address, "the address is null");
        return new EndpointServer(address, port, Objects.requireNonNull(options, "the options are null"));
    }

    /// Connects to a server. While nobody listens there, tries again, 5 seconds in all.
    ///
    /// @throws io.verbena.verbs.RdmaException `ECONNREFUSED` when nobody listens, or the server refuses, with its
    ///     reason; `ETIMEDOUT` when there is no answer
    public static Connection connect(String host, int port) {
        return connect(host, port, EndpointOptions.defaults());
    }

    /// Connects with options.
    public static Connection connect(String host, int port, EndpointOptions options) {
        Objects.requireNonNull(host, "the host is null");
        Objects.requireNonNull(options, "the options are null");
        Supplier<ConnectionLink> connector = () -> Connector.connect(host, port, options);
        Connection connection = connector.get().connection();
        return options.reconnect() ? connection.connectingAgainBy(connector) : connection;
    }
}
