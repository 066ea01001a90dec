package io.verbena.applications.speed;

import java.util.Locale;

/// What is measured. A case has a server and a client, each in a process of its own.
enum Case {
    NETTY_ECHO("Netty echo of 64 B, p50", "us", true, 0.6, NettyEcho::serve, NettyEcho::connect),
    NETTY_STREAM("Netty stream of 64 KiB", "MB/s", false, 1.5, NettyStream::serve, NettyStream::connect),
    BLOCKING(
            "blocking channel, 64 B there and back, p50",
            "us",
            true,
            0.6,
            BlockingPingPong::serve,
            BlockingPingPong::connect),
    GRPC("gRPC unary call of 64 B, p50", "us", true, 0.8, GrpcCalls::serve, GrpcCalls::connect),
    HTTP("HTTP GET of 1 MiB", "requests/s", false, 1.2, HttpGets::serve, HttpGets::connect);

    /// Starts a server and returns its port.
    interface ServerStart {
        int start() throws Exception;
    }

    /// Connects a client to a port.
    interface ClientStart {
        Client connect(int port) throws Exception;
    }

    private final String title;
    private final String unit;
    private final boolean lessIsBetter;
    private final double goal;
    private final ServerStart server;
    private final ClientStart client;

    Case(String title, String unit, boolean lessIsBetter, double goal, ServerStart server, ClientStart client) {
        this.title = title;
        this.unit = unit;
        this.lessIsBetter = lessIsBetter;
        this.goal = goal;
        this.server = server;
        this.client = client;
    }

    String title() {
        return title;
    }

    String unit() {
        return unit;
    }

    /// The goal for the ratio to TCP, as text.
    String goalText() {
        return (lessIsBetter ? "<= " : ">= ") + goal;
    }

    boolean isReached(double ratio) {
        return lessIsBetter ? ratio <= goal : ratio >= goal;
    }

    int serve() throws Exception {
        return server.start();
    }

    Client connect(int port) throws Exception {
        return client.connect(port);
    }

    static Case named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
