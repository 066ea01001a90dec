package io.verbena.bench.side;

import java.util.List;

/// The contestants, as goals refer to them.
public final class Names {
    public static final String SHARED = "verbena shared memory";
    public static final String UDP = "verbena udp";
    /// With other queue pairs and a UDP peer on the same devices, which have their own completion queue.
    public static final String MIXED_OWN_QUEUE = "verbena mixed, own queue";
    /// The same with one completion queue for all.
    public static final String MIXED_ONE_QUEUE = "verbena mixed, one queue";

    public static final String TWO_THREADS = "verbena 2 threads";
    /// Two connections in one process over UDP, driven by one thread, by two, and by two with devices of their own.
    public static final String UDP_ONE_THREAD = "verbena udp, 1 thread";

    public static final String UDP_TWO_THREADS = "verbena udp, 2 threads";
    public static final String UDP_OWN_DEVICES = "verbena udp, 2 separate";
    public static final String G1 = "verbena G1";
    public static final String SERIAL = "verbena Serial";
    /// By connections of the endpoint, with threads that wait for messages, and with handlers.
    public static final String ENDPOINT_SHARED = "endpoint shared memory";

    public static final String ENDPOINT_UDP = "endpoint udp";
    public static final String ENDPOINT_EVENTS = "endpoint events";
    /// The server's side in a virtual thread, as programs have it by `serve`.
    public static final String ENDPOINT_SERVE = "endpoint serve";
    public static final String TCP = "SocketChannel TCP";
    public static final String RAW_UDP = "raw UDP by FFM";
    public static final String MEMCPY = "memcpy (C)";
    public static final String MEMCPY_TWO_THREADS = "memcpy (C), 2 threads";
    public static final String JAVA_COPY = "MemorySegment.copy";
    public static final String CACHE_LINE = "cache line";
    public static final String AERON_IPC = "Aeron IPC";
    public static final String AERON_UDP = "Aeron UDP invoker";
    public static final String NETTY = "Netty NIO TCP";
    public static final String GRPC = "gRPC unary";
    public static final String UCX_POSIX = "UCX posix";
    public static final String UCX_TCP = "UCX tcp";
    public static final String LIBFABRIC_SHM = "libfabric shm";
    public static final String LIBFABRIC_TCP = "libfabric tcp";
    public static final String LIBFABRIC_RXD = "libfabric udp;ofi_rxd";

    /// Verbena's contestants first.
    public static final List<String> ALL = List.of(
            SHARED,
            UDP,
            MIXED_OWN_QUEUE,
            MIXED_ONE_QUEUE,
            TWO_THREADS,
            G1,
            SERIAL,
            UDP_ONE_THREAD,
            UDP_TWO_THREADS,
            UDP_OWN_DEVICES,
            ENDPOINT_SHARED,
            ENDPOINT_UDP,
            ENDPOINT_EVENTS,
            ENDPOINT_SERVE,
            TCP,
            RAW_UDP,
            MEMCPY,
            MEMCPY_TWO_THREADS,
            JAVA_COPY,
            CACHE_LINE,
            AERON_IPC,
            AERON_UDP,
            NETTY,
            GRPC,
            UCX_POSIX,
            UCX_TCP,
            LIBFABRIC_SHM,
            LIBFABRIC_TCP,
            LIBFABRIC_RXD);

    private Names() {}
}
