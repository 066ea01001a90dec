package io.verbena.applications.grpc;

import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/// Unary calls of bytes in gRPC, with the transport that is on the class path.
///
/// Arguments: `server`, or `client PORT CALLS BYTES`.
public final class Calls {
    private static final String SERVICE = "verbena.Echo";
    private static final MethodDescriptor<byte[], byte[]> ECHO = MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Echo"))
            .setRequestMarshaller(new Bytes())
            .setResponseMarshaller(new Bytes())
            .build();

    private Calls() {}

    /// Runs one of the sides.
    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("server")) {
            Server server = serve();
            System.out.println("port " + server.getPort());
            server.awaitTermination();
            return;
        }
        int calls = Integer.parseInt(arguments[2]);
        byte[] request = new byte[Integer.parseInt(arguments[3])];
        Arrays.fill(request, (byte) 7);
        ManagedChannel channel = connect(Integer.parseInt(arguments[1]));
        for (int i = 0; i < calls; i++) {
            if (!Arrays.equals(call(channel, request), request)) {
                throw new IllegalStateException("wrong answer to call " + i);
            }
        }
        channel.shutdown().awaitTermination(10, TimeUnit.SECONDS);
        System.out.println("made " + calls + " calls of " + request.length + " bytes with "
                + channel.getClass().getSimpleName());
    }

    /// Starts a server that answers with the request.
    public static Server serve() throws IOException {
        ServerServiceDefinition echo = ServerServiceDefinition.builder(SERVICE)
                .addMethod(ECHO, ServerCalls.asyncUnaryCall((request, answer) -> {
                    answer.onNext(request);
                    answer.onCompleted();
                }))
                .build();
        return Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
                .addService(echo)
                .directExecutor()
                .build()
                .start();
    }

    /// Connects to a server of this host.
    public static ManagedChannel connect(int port) {
        return Grpc.newChannelBuilderForAddress("127.0.0.1", port, InsecureChannelCredentials.create())
                .directExecutor()
                .build();
    }

    /// Makes a call and waits for its answer.
    public static byte[] call(ManagedChannel channel, byte[] request) {
        return ClientCalls.blockingUnaryCall(
                channel, ECHO, CallOptions.DEFAULT.withDeadlineAfter(30, TimeUnit.SECONDS), request);
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
}
