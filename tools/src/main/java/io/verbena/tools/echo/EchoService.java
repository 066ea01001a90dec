package io.verbena.tools.echo;

import io.verbena.sockets.RdmaSockets;
import io.verbena.tools.program.Output;
import io.verbena.tools.program.ProgramException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.spi.SelectorProvider;

/// Two echo servers at one port: over TCP, and over RDMA.
final class EchoService {
    private static final int PORT_TRIES = 16;

    private EchoService() {}

    /// Serves until the thread is interrupted.
    static void serve(InetAddress address, int port, Output output) {
        for (int tries = 1; ; tries++) {
            try (EchoServer tcp = new EchoServer(SelectorProvider.provider(), new InetSocketAddress(address, port));
                    EchoServer rdma = new EchoServer(RdmaSockets.provider(), tcp.address())) {
                output.listens(tcp.address());
                serve(tcp, rdma);
                return;
            } catch (BindException e) {
                // The port that was free for TCP may be taken in the port space of RDMA.
                if (port != 0 || tries == PORT_TRIES) {
                    throw new ProgramException(
                            "cannot listen at %s port %d: %s; choose another with --port"
                                    .formatted(address.getHostAddress(), port, e.getMessage()),
                            e);
                }
            } catch (IOException e) {
                throw new ProgramException("the server failed: " + e.getMessage(), e);
            }
        }
    }

    private static void serve(EchoServer tcp, EchoServer rdma) throws IOException {
        Thread.ofPlatform().daemon().name("echo over TCP").start(() -> {
            try {
                tcp.serve();
            } catch (IOException e) {
                throw new ProgramException("the server over TCP failed: " + e.getMessage(), e);
            }
        });
        rdma.serve();
    }
}
