package io.verbena.bench.peer;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.verbena.bench.pair.BenchSide;
import io.verbena.bench.pair.Samples;
import io.verbena.bench.side.Measurement;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Semaphore;

/// Unary calls of gRPC with messages of plain bytes, without TLS: one call after the other by a blocking stub, and a
/// server that answers in its event loop.
final class GrpcSide implements BenchSide {
    private static final MethodDescriptor<byte[], byte[]> ECHO = MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodType.UNARY)
            .setFullMethodName(MethodDescriptor.generateFullMethodName("verbena.Bench", "Echo"))
            .setRequestMarshaller(new Bytes())
            .setResponseMarshaller(new Bytes())
            .build();

    private final String home;
    private final Semaphore answered = new Semaphore(0);
    private Server server;
    private ManagedChannel channel;
    private byte[] bytes;

    /// Argument: the address of the server.
    GrpcSide(List<String> arguments) {
        home = arguments.getFirst();
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public boolean allocatesElsewhere() {
        return true;
    }

    @Override
    public String address() throws IOException {
        ServerServiceDefinition service = ServerServiceDefinition.builder("verbena.Bench")
                .addMethod(ECHO, ServerCalls.asyncUnaryCall((request, answer) -> {
                    answer.onNext(request);
                    answer.onCompleted();
                    answered.release();
                }))
                .build();
        server = NettyServerBuilder.forAddress(new InetSocketAddress(home, 0))
                .directExecutor()
                .addService(service)
                .build()
                .start();
        return Integer.toString(server.getPort());
    }

    /// A client connects with its first call.
    @Override
    public void accept() {}

    @Override
    public void connect(String address) {
        channel = NettyChannelBuilder.forAddress(home, Integer.parseInt(address))
                .usePlaintext()
                .directExecutor()
                .build();
    }

    @Override
    public void prepare(Measurement measurement, long messages) {
        bytes = new byte[measurement.size()];
    }

    @Override
    public void run(Measurement measurement, long messages, Samples samples) throws InterruptedException {
        if (channel == null) {
            answered.acquire((int) messages);
            return;
        }
        samples.begin();
        for (long n = 0; n < messages; n++) {
            byte[] answer = ClientCalls.blockingUnaryCall(channel, ECHO, CallOptions.DEFAULT, bytes);
            if (answer.length != bytes.length) {
                throw new IllegalStateException("an answer of " + answer.length + " bytes to " + bytes.length);
            }
            samples.endRoundTrip();
            samples.record();
        }
        samples.end();
    }

    @Override
    public void close() {
        if (channel != null) {
            channel.shutdownNow();
        }
        if (server != null) {
            server.shutdownNow();
        }
    }
}
