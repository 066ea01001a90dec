package io.verbena.bench.plain;

import io.verbena.bench.pair.BenchSide;
import io.verbena.bench.pair.Samples;
import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Measurement.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/// Datagrams at the speed of the kernel: no protocol, no check, and the receiver reads no byte. In streams 15 datagrams
/// are sent in one call (UDP_SEGMENT) and received in one (UDP_GRO). The receiver acknowledges now and then, so that no
/// full socket buffer loses packets.
final class RawUdpSide implements BenchSide {
    static final int SEGMENTS = 15;

    private static final int MOST_BYTES = 1 << 16;
    /// Bytes in flight at most; the kernel counts far more than these against the buffer of 4 MiB.
    private static final long WINDOW = 1 << 20;

    private static final long REPORT_EVERY = WINDOW / 4;
    /// So that a lost datagram ends in an error.
    private static final int MOST_EMPTY_POLLS = 50_000_000;

    private final String serverAddress;
    private final String clientAddress;
    private UdpSocket socket;
    private final MemorySegment out = Arena.global().allocate(MOST_BYTES, 64);
    private final MemorySegment in = Arena.global().allocate(MOST_BYTES, 64);
    private boolean client;

    /// Arguments: the addresses of server and client.
    RawUdpSide(List<String> arguments) {
        serverAddress = arguments.get(0);
        clientAddress = arguments.get(1);
    }

    @Override
    public String address() {
        socket = new UdpSocket(serverAddress);
        return Integer.toString(socket.port());
    }

    /// The client's first datagram has its port.
    @Override
    public void accept() {
        receive();
        socket.connect(clientAddress, in.get(ValueLayout.JAVA_INT, 0));
    }

    @Override
    public void connect(String address) {
        client = true;
        socket = new UdpSocket(clientAddress);
        socket.connect(serverAddress, Integer.parseInt(address));
        out.set(ValueLayout.JAVA_INT, 0, socket.port());
        send(Integer.BYTES);
    }

    @Override
    public void prepare(Measurement measurement, long messages) {
        boolean stream = measurement.kind() == Kind.STREAM;
        socket.segments(stream && client ? measurement.size() : 0);
        socket.coalesce(stream && !client);
    }

    @Override
    public void run(Measurement measurement, long messages, Samples samples) {
        int size = measurement.size();
        if (measurement.kind() == Kind.STREAM) {
            if (client) {
                stream(size, messages, samples);
            } else {
                take(size * messages);
            }
        } else if (client) {
            ask(size, messages, samples);
        } else {
            for (long n = 0; n < messages; n++) {
                receive();
                send(size);
            }
        }
    }

    private void ask(int size, long messages, Samples samples) {
        samples.begin();
        for (long n = 0; n < messages; n++) {
            send(size);
            samples.record();
            receive();
            samples.endRoundTrip();
        }
        samples.end();
    }

    private void stream(int size, long messages, Samples samples) {
        long total = messages * size;
        long train = (long) SEGMENTS * size;
        long sent = 0;
        long taken = 0;
        samples.begin();
        while (taken < total) {
            while (sent < total && sent - taken < WINDOW) {
                long bytes = Math.min(train, total - sent);
                send(bytes);
                sent += bytes;
            }
            receive();
            taken = Math.max(taken, in.get(ValueLayout.JAVA_LONG, 0));
        }
        samples.end();
    }

    private void take(long total) {
        long reported = 0;
        for (long taken = 0; taken < total; ) {
            taken += receive();
            if (taken - reported >= REPORT_EVERY || taken == total) {
                out.set(ValueLayout.JAVA_LONG, 0, taken);
                send(Long.BYTES);
                reported = taken;
            }
        }
    }

    private void send(long bytes) {
        for (int tries = 0; socket.send(out, bytes) != bytes; tries++) {
            if (tries == MOST_EMPTY_POLLS) {
                throw new IllegalStateException("the kernel takes no datagram of " + bytes + " bytes");
            }
        }
    }

    private long receive() {
        for (int polls = 0; polls < MOST_EMPTY_POLLS; polls++) {
            long bytes = socket.receive(in);
            if (bytes >= 0) {
                return bytes;
            }
        }
        throw new IllegalStateException("no datagram came: one was lost");
    }

    @Override
    public void close() {
        if (socket != null) {
            socket.close();
        }
    }
}
