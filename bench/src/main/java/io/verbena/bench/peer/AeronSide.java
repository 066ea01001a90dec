package io.verbena.bench.peer;

import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import io.verbena.bench.pair.BenchSide;
import io.verbena.bench.pair.Samples;
import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Measurement.Kind;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.List;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/// Aeron in one of two JVMs. Every run has its own driver and streams, which end soon after it: Aeron's timeouts do not
/// allow sides that pause between runs.
final class AeronSide implements BenchSide {
    static final String IPC = "ipc";
    static final String UDP = "udp";

    private static final int ALIGNMENT = 64;
    private static final int ROUND_TRIP_POLL = 10;
    private static final int STREAM_POLL = 256;
    private static final long CONNECT_NS = 10_000_000_000L;
    private static final long PAUSE_MS = 1;
    private static final int LINGER_PAUSES = 20;

    private final boolean ipc;
    private final String folder;
    private final String serverAddress;
    private final String clientAddress;
    private final FragmentHandler onMessage = this::onMessage;
    private final FragmentHandler onEcho = this::onEcho;
    private boolean server;
    private String local;
    private String remote;
    private AeronLink link;
    private Thread closer;
    private UnsafeBuffer buffer;
    private UnsafeBuffer sink;
    private long received;

    /// Arguments: `ipc` or `udp`, the folder of the driver, and the addresses of server and client.
    AeronSide(List<String> arguments) {
        ipc = arguments.get(0).equals(IPC);
        folder = arguments.get(1);
        serverAddress = arguments.get(2);
        clientAddress = arguments.get(3);
    }

    @Override
    public String address() throws IOException {
        server = true;
        local = serverAddress + ":" + freePort();
        remote = clientAddress + ":" + freePort();
        return local + " " + remote;
    }

    /// Free here; if the client is elsewhere, nobody else is there.
    private static int freePort() throws IOException {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void accept() {}

    @Override
    public void connect(String address) {
        String[] endpoints = address.split(" ");
        remote = endpoints[0];
        local = endpoints[1];
    }

    @Override
    public void prepare(Measurement measurement, long messages) throws InterruptedException {
        close();
        int size = measurement.size();
        link = ipc
                ? AeronLink.ipc(folder, size, server)
                : AeronLink.udp(folder + (server ? "-server" : "-client"), size, local, remote, server);
        buffer = new UnsafeBuffer(BufferUtil.allocateDirectAligned(Math.max(size, Long.BYTES), ALIGNMENT));
        sink = new UnsafeBuffer(BufferUtil.allocateDirectAligned(Math.max(size, Long.BYTES), ALIGNMENT));
        received = 0;
        if (!server) {
            awaitConnection();
        }
    }

    /// The server connects in its run, because the client needs it then. Neither side spins meanwhile.
    private void awaitConnection() throws InterruptedException {
        long end = System.nanoTime() + CONNECT_NS;
        while (!link.isConnected()) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("Aeron's streams are not connected after " + CONNECT_NS / 1e9 + " s");
            }
            link.work();
            Thread.sleep(PAUSE_MS);
        }
    }

    @Override
    public void run(Measurement measurement, long messages, Samples samples) throws InterruptedException {
        int size = measurement.size();
        if (measurement.kind() == Kind.ROUND_TRIP) {
            FragmentHandler handler = link.whole(server ? onEcho : onMessage, size);
            if (server) {
                awaitConnection();
                take(handler, messages, ROUND_TRIP_POLL);
            } else {
                roundTrips(handler, size, messages, samples);
            }
        } else if (server) {
            awaitConnection();
            take(link.whole(onMessage, size), messages, STREAM_POLL);
            link.offer(buffer, 0, Long.BYTES); // the client's clock stops at this confirmation
        } else {
            stream(size, messages, samples);
        }
        linger();
    }

    private void onMessage(DirectBuffer from, int offset, int length, Header header) {
        from.getBytes(offset, sink, 0, length); // reads all of it
        received++;
    }

    private void onEcho(DirectBuffer from, int offset, int length, Header header) {
        link.offer(from, offset, length); // copies, and so reads, all of it
        received++;
    }

    private void take(FragmentHandler handler, long messages, int limit) {
        while (received < messages) {
            link.poll(handler, limit);
        }
    }

    private void roundTrips(FragmentHandler handler, int size, long messages, Samples samples) {
        samples.begin();
        for (long i = 1; i <= messages; i++) {
            buffer.putLong(0, i);
            link.offer(buffer, 0, size);
            samples.record();
            take(handler, i, ROUND_TRIP_POLL);
            if (sink.getLong(0) != i) {
                throw new IllegalStateException("message " + i + " came back as " + sink.getLong(0));
            }
            samples.endRoundTrip();
        }
        samples.end();
    }

    private void stream(int size, long messages, Samples samples) {
        samples.begin();
        for (long i = 0; i < messages; i++) {
            link.offer(buffer, 0, size);
        }
        take(onMessage, 1, ROUND_TRIP_POLL);
        samples.end();
    }

    /// The last messages may have to be retransmitted, which only this side can do.
    private void linger() throws InterruptedException {
        for (int i = 0; i < LINGER_PAUSES; i++) {
            link.work();
            Thread.sleep(PAUSE_MS);
        }
        AeronLink done = link;
        closer = Thread.ofPlatform().daemon().name("closer").start(() -> {
            try {
                Thread.sleep(LINGER_PAUSES * PAUSE_MS); // the cost of closing is not part of the run
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            done.close();
        });
    }

    @Override
    public void close() {
        if (closer != null) {
            try {
                closer.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        } else if (link != null) {
            link.close();
        }
        closer = null;
        link = null;
    }
}
