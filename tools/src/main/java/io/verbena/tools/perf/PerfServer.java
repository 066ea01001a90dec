package io.verbena.tools.perf;

import io.verbena.tools.program.ClientThreads;
import io.verbena.tools.program.Output;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.SideServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/// Listens, and serves one client (`--once`) or all of them, each in a thread of its own, until stopped.
final class PerfServer {
    private final InetSocketAddress address;
    private final PerfService service;
    private final Output output;
    private final ClientThreads clients;

    PerfServer(InetSocketAddress address, PerfService service) {
        this.address = address;
        this.service = service;
        this.output = service.output();
        this.clients = new ClientThreads(output);
    }

    void run(boolean once) {
        try (ServerSocketChannel listener = SideServer.listen(address)) {
            var local = (InetSocketAddress) listener.getLocalAddress();
            output.listens(local);
            if (once) {
                service.serve(listener.accept().socket());
                return;
            }
            while (true) {
                SocketChannel client = listener.accept();
                clients.start(String.valueOf(client.getRemoteAddress()), () -> serve(client));
            }
        } catch (ClosedByInterruptException e) {
            throw new StoppedException();
        } catch (IOException e) {
            throw new ProgramException("the server cannot go on: " + e.getMessage(), e);
        } finally {
            clients.stop();
        }
    }

    private void serve(SocketChannel client) {
        try {
            service.serve(client.socket());
        } catch (StoppedException e) {
            // the server ends
        } catch (OutOfMemoryError e) {
            throw new ProgramException("a client needs more memory than there is: " + e.getMessage(), e);
        }
    }
}
