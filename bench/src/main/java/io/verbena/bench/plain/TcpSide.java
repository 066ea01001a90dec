package io.verbena.bench.plain;

import io.verbena.bench.pair.BenchSide;
import io.verbena.bench.pair.Samples;
import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Measurement.Kind;
import io.verbena.bench.side.Measurement.Waiting;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;

/// Plain TCP with [SocketChannel] and TCP_NODELAY: spins on non-blocking reads and writes, or sleeps in the kernel. The
/// kernel copies every byte to the program: payload read.
final class TcpSide implements BenchSide {
    private static final long GAP_MS = 10;

    private final int largest;
    private final InetAddress home;
    private ServerSocketChannel listener;
    private SocketChannel channel;
    private boolean client;
    private ByteBuffer buffer;
    private final ByteBuffer answer = ByteBuffer.allocateDirect(1);

    /// Arguments: the largest size, and the address of the server.
    TcpSide(List<String> arguments) {
        largest = Integer.parseInt(arguments.get(0));
        home = InetAddress.ofLiteral(arguments.get(1));
    }

    @Override
    public String address() throws IOException {
        listener = ServerSocketChannel.open().bind(new InetSocketAddress(home, 0));
        return Integer.toString(((InetSocketAddress) listener.getLocalAddress()).getPort());
    }

    @Override
    public void accept() throws IOException {
        ready(listener.accept());
    }

    @Override
    public void connect(String address) throws IOException {
        client = true;
        ready(SocketChannel.open(new InetSocketAddress(home, Integer.parseInt(address))));
    }

    private void ready(SocketChannel connected) throws IOException {
        channel = connected;
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        buffer = ByteBuffer.allocateDirect(largest);
    }

    @Override
    public void prepare(Measurement measurement, long messages) throws IOException {
        channel.configureBlocking(measurement.waiting() == Waiting.BLOCK);
    }

    @Override
    public void run(Measurement measurement, long messages, Samples samples) throws Exception {
        int size = measurement.size();
        if (measurement.kind() == Kind.STREAM) {
            stream(size, messages, samples);
        } else if (client) {
            ask(size, messages, samples, measurement.kind() == Kind.PACED);
        } else {
            for (long n = 0; n < messages; n++) {
                read(buffer, size);
                write(buffer, size);
            }
        }
    }

    private void ask(int size, long messages, Samples samples, boolean paced) throws Exception {
        samples.begin();
        for (long n = 0; n < messages; n++) {
            if (paced) {
                Thread.sleep(GAP_MS);
                samples.beginRoundTrip();
            }
            write(buffer, size);
            samples.record();
            read(buffer, size);
            samples.endRoundTrip();
        }
        samples.end();
    }

    private void stream(int size, long messages, Samples samples) throws IOException {
        if (!client) {
            for (long n = 0; n < messages; n++) {
                read(buffer, size);
            }
            write(answer, 1);
            return;
        }
        samples.begin();
        for (long n = 0; n < messages; n++) {
            write(buffer, size);
        }
        read(answer, 1);
        samples.end();
    }

    private void write(ByteBuffer from, int size) throws IOException {
        from.clear().limit(size);
        while (from.hasRemaining()) {
            channel.write(from);
        }
    }

    private void read(ByteBuffer into, int size) throws IOException {
        into.clear().limit(size);
        while (into.hasRemaining()) {
            if (channel.read(into) < 0) {
                throw new EOFException("the other side closed the connection");
            }
        }
    }

    @Override
    public void close() {
        try {
            if (channel != null) {
                channel.close();
            }
            if (listener != null) {
                listener.close();
            }
        } catch (IOException e) {
            throw new IllegalStateException("cannot close a socket", e);
        }
    }
}
