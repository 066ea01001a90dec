package io.verbena.tools.rping;

import io.verbena.tools.program.ConnectFailure;
import io.verbena.tools.program.ConnectNotice;
import io.verbena.tools.program.Goodbye;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.ServerCommand;
import io.verbena.tools.rping.RpingConnection.Kind;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.cm.ConnectionId;
import java.lang.foreign.MemorySegment;

/// The client, which pings. Each ping is
///
/// 1. SEND: the place of the text; the server READs it and answers
/// 2. SEND: the place of the echo buffer; the server WRITEs the text there and answers
final class RpingClient {
    private final RpingOptions options;
    private final RpingOutput output;
    private final RpingResult result;

    RpingClient(RpingOptions options, RpingOutput output) {
        this.options = options;
        this.output = output;
        this.result = new RpingResult("client", options.validate);
    }

    void run() {
        result.during(this::connectAndPing, () -> output.result(result.json()));
    }

    private void connectAndPing() {
        try (ConnectionId id = options.newId()) {
            id.resolveAddress(options.source(), options.address(), options.step());
            id.resolveRoute(options.step());
            result.connected(id);
            output.debug("resolved: device %s, source %s", id.context().device().name(), id.localAddress());
            var pd = id.protectionDomain();
            // the memory outlives the queue pair: until that is closed the server may READ and WRITE
            try (MemoryRegion source = pd.allocate(options.size, Access.LOCAL_WRITE, Access.REMOTE_READ);
                    MemoryRegion sink = pd.allocate(options.size, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
                    var connection = new RpingConnection(id, options.ownQueuePair, options.timeout())) {
                connect(connection);
                ping(connection, source, sink);
                disconnect(id);
            }
        }
    }

    private String startServer() {
        return ServerCommand.of(RpingCommand.START_SERVER, options.address(), RpingCommand.USUAL_PORT);
    }

    private void connect(RpingConnection connection) {
        ConnectionId id = connection.id();
        try (var _ = ConnectNotice.start(output, options.address(), options.step(), startServer())) {
            if (options.ownQueuePair) {
                OwnQueuePair.connect(id, connection.qp(), RpingOptions.PARAMETERS);
            } else {
                id.connect(RpingOptions.PARAMETERS);
            }
        } catch (RdmaException e) {
            throw ConnectFailure.of(startServer(), options.address(), id.event(), e);
        }
        output.debug("ESTABLISHED");
        output.debug("rdma_connect successful");
    }

    private void ping(RpingConnection connection, MemoryRegion source, MemoryRegion sink) {
        int size = options.size;
        SendRequest fetch = connection.newMessage(0, source, size);
        SendRequest bring = connection.newMessage(1, sink, size);
        MemorySegment text = source.memory().asSlice(0, size);
        MemorySegment echo = sink.memory().asSlice(0, size);
        for (long ping = 0; options.count() == 0 || ping < options.count(); ping++) {
            PingText.fill(text, ping);
            echo.fill((byte) 0); // so that only bytes of this ping are compared
            try {
                announce(connection, fetch, source, "answer to the message that describes the source buffer");
                announce(connection, bring, sink, "answer to the message that describes the sink buffer");
            } catch (ProgramException e) {
                throw trouble(e, ping);
            }
            validate(echo, ping);
            output.data("ping data: ", echo);
            result.pinged(size);
        }
    }

    private void announce(RpingConnection connection, SendRequest message, MemoryRegion region, String answer) {
        output.debug("RDMA addr %x rkey %x len %d", region.address(), region.rkey(), options.size);
        connection.post(message);
        connection.await(Kind.RECEIVE, answer);
        output.debug("recv completion");
    }

    private ProgramException trouble(ProgramException e, long ping) {
        if (e.isDisconnected()) {
            output.say("client DISCONNECT EVENT...");
            return new ProgramException("ping " + ping + ": the server disconnected before it was done", e);
        }
        return new ProgramException("ping " + ping + ": " + e.getMessage(), e);
    }

    private void validate(MemorySegment echo, long ping) {
        long wrong = options.validate ? PingText.mismatch(echo, ping) : -1;
        if (wrong >= 0) {
            throw new ProgramException(PingText.describe(echo, ping, wrong));
        }
    }

    private void disconnect(ConnectionId id) {
        Goodbye.disconnect(id).ifPresent(e -> output.debug("disconnect: %s", e.getMessage()));
        output.say("client DISCONNECT EVENT...");
    }
}
