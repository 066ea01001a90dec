package io.verbena.applications.speed;

import io.grpc.ManagedChannel;
import io.verbena.applications.grpc.Calls;
import java.io.IOException;

/// Calls of gRPC, one after the other.
final class GrpcCalls implements Client {
    private static final int BYTES = 64;
    private static final int CALLS = 3000;

    private final ManagedChannel channel;

    private GrpcCalls(ManagedChannel channel) {
        this.channel = channel;
    }

    static int serve() throws IOException {
        return Calls.serve().getPort();
    }

    static Client connect(int port) {
        return new GrpcCalls(Calls.connect(port));
    }

    @Override
    public double round() {
        byte[] request = new byte[BYTES];
        long[] timesNs = new long[CALLS];
        for (int i = 0; i < CALLS; i++) {
            long startNs = System.nanoTime();
            Calls.call(channel, request);
            timesNs[i] = System.nanoTime() - startNs;
        }
        return Client.medianUs(timesNs);
    }
}
