package io.verbena.tools.demo;

import io.verbena.tools.plain.DatagramStream;
import io.verbena.tools.plain.TcpPingPong;
import io.verbena.tools.program.Owned;
import io.verbena.tools.program.ProgramException;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;

/// The server of the measurements: executes the client's commands until END. It spins all the time, so that its own
/// thread drives the device.
final class MeasureServer implements AutoCloseable {
    private final Report report;
    private final Link link;
    private final Owned owned = new Owned();
    private MemoryRegion memory;
    private TcpPingPong tcp;
    private DatagramStream datagrams;
    private ByteBuffer datagramTarget;
    private long verifiedBytes;

    MeasureServer(ConnectionId id, Report report) {
        this.report = report;
        this.link = new Link(id, report);
        link.accept(ConnectionParameters.DEFAULT);
    }

    /// Returns the number of bytes that were written into this process and compared.
    long run() throws IOException {
        while (true) {
            link.awaitMessage();
            switch (link.command()) {
                case PING -> link.send(Command.PING, link.first(), link.second());
                case MEMORY -> allocate(link.first());
                case VERIFY -> verify(link.first(), link.second());
                case TCP_OPEN -> openTcp();
                case TCP_ECHO -> echoTcp();
                case DATAGRAM_OPEN -> openDatagrams((int) link.first(), (int) link.second());
                case DATAGRAMS -> receiveDatagrams();
                case END -> {
                    link.send(Command.ANSWER, 0, 0);
                    report.flush();
                    // closing now could drop the answer
                    link.awaitDisconnect();
                    return verifiedBytes;
                }
                case ANSWER -> throw new ProgramException("got an answer to nothing");
            }
        }
    }

    private void allocate(long bytes) {
        memory = owned.add(link.id().protectionDomain().allocate(bytes, Access.LOCAL_WRITE, Access.REMOTE_WRITE));
        report.event("%,d bytes opened to the client's WRITEs", bytes);
        link.send(Command.ANSWER, memory.address(), memory.rkey());
    }

    private void verify(long bytes, long seed) {
        long wrong = Pattern.mismatch(memory.memory().asSlice(0, bytes), seed);
        if (wrong < 0) {
            verifiedBytes += bytes;
        }
        if (seed >= 0 || wrong >= 0) {
            report.event(wrong < 0 ? "%,d bytes verified" : "%,d bytes: wrong from byte %,d on", bytes, wrong);
        }
        // so that the next comparison sees only bytes that were written again
        memory.memory().asSlice(0, bytes).fill((byte) 0);
        report.flush();
        link.send(Command.ANSWER, wrong, 0);
    }

    private InetAddress address() {
        return link.id().localAddress().getAddress();
    }

    private void openTcp() throws IOException {
        ServerSocketChannel listener = owned.add(TcpPingPong.listen(address()));
        link.send(Command.ANSWER, ((InetSocketAddress) listener.getLocalAddress()).getPort(), 0);
        tcp = owned.add(TcpPingPong.accept(listener, Link.MESSAGE_BYTES, Patience.ANSWER));
    }

    private void echoTcp() throws IOException {
        link.send(Command.ANSWER, 0, 0);
        tcp.echo();
    }

    private void openDatagrams(int clientPort, int bytes) throws IOException {
        datagrams = owned.add(DatagramStream.open(address(), Patience.ANSWER));
        datagrams.connect(link.id().peerAddress().getAddress(), clientPort);
        datagramTarget = ByteBuffer.allocateDirect(bytes);
        link.send(Command.ANSWER, datagrams.port(), datagrams.room());
    }

    private void receiveDatagrams() throws IOException {
        link.send(Command.ANSWER, 0, 0);
        datagrams.receive(datagramTarget);
    }

    @Override
    public void close() {
        try (owned) {
            link.close();
        }
    }
}
