package io.verbena.tools.rping;

import io.verbena.tools.program.ProgramException;
import io.verbena.tools.rping.RpingConnection.Kind;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.RemoteBuffer;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import java.lang.foreign.MemorySegment;

/// The server's part of one connection: READs the buffer that the client describes, WRITEs it back to the next one,
/// until the client disconnects.
final class RpingService {
    private final RpingOptions options;
    private final RpingOutput output;
    private final RpingResult result;

    RpingService(RpingOptions options, RpingOutput output) {
        this.options = options;
        this.output = output;
        this.result = new RpingResult("server", options.validate);
    }

    /// Serves a connection request until the connection ends, and closes it.
    void serve(ConnectionId request) {
        result.during(() -> ping(request), () -> output.result(result.json()));
    }

    private void ping(ConnectionId request) {
        try (ConnectionId id = request) {
            result.connected(id);
            output.debug("connection request from %s", result.peer());
            CmEvent asked = id.event();
            id.timeout(options.step());
            try (var connection = new RpingConnection(id, options.ownQueuePair, options.timeout())) {
                accept(connection, asked.parameters());
                pingUntilDisconnected(connection);
            }
        }
    }

    /// Accepts with as many READs as the client can serve, as `rdma_accept` without parameters does.
    private void accept(RpingConnection connection, ConnectionParameters asked) {
        ConnectionId id = connection.id();
        int most = id.context().attributes().maxReadAtomicAsInitiator();
        ConnectionParameters answer = RpingOptions.PARAMETERS.withReads(
                Math.min(asked.responderResources(), most), Math.min(asked.initiatorDepth(), most));
        if (options.ownQueuePair) {
            OwnQueuePair.accept(id, connection.qp(), answer);
        } else {
            id.accept(answer);
        }
        output.debug("ESTABLISHED");
    }

    private void pingUntilDisconnected(RpingConnection connection) {
        try (MemoryRegion buffer = connection.id().protectionDomain().allocate(PingText.LONGEST, Access.LOCAL_WRITE)) {
            var requests = new Requests(connection, buffer);
            while (isPinged(connection)) {
                try {
                    answer(connection, requests);
                } catch (ProgramException e) {
                    throw trouble(e);
                }
            }
        }
    }

    private record Requests(
            RpingConnection connection, MemoryRegion buffer, SendRequest goAhead, SendRequest read, SendRequest write) {
        Requests(RpingConnection connection, MemoryRegion buffer) {
            this(
                    connection,
                    buffer,
                    connection.newMessage(0, buffer, PingText.LONGEST),
                    connection.newRequest(Kind.RDMA_READ),
                    connection.newRequest(Kind.RDMA_WRITE));
        }
    }

    /// Waits for the next ping; false when the client has disconnected.
    private boolean isPinged(RpingConnection connection) {
        try {
            connection.await(Kind.RECEIVE, "ping");
            return true;
        } catch (ProgramException e) {
            if (e.isDisconnected()) {
                output.say("server DISCONNECT EVENT...");
                return false;
            }
            throw trouble(e);
        }
    }

    private void answer(RpingConnection connection, Requests requests) {
        RemoteBuffer source = announced(connection, PingText.SHORTEST);
        int size = (int) source.length();
        connection.post(requests.read.read(source).into(requests.buffer, 0, size));
        output.debug("server posted rdma read req");
        connection.await(Kind.RDMA_READ, "answer to the RDMA READ");
        output.debug("server received read complete");
        MemorySegment text = requests.buffer.memory().asSlice(0, size);
        validate(text);
        output.data("server ping data: ", text);
        connection.post(requests.goAhead);
        output.debug("server posted go ahead");

        connection.await(Kind.RECEIVE, "message that describes the client's sink buffer");
        // including the zero, as in the C program
        long length = Math.min(PingText.length(text) + 1, size);
        RemoteBuffer sink = announced(connection, length);
        connection.post(requests.write.write(sink).from(requests.buffer, 0, length));
        output.debug(
                "rdma write from lkey %x laddr %x len %d", requests.buffer.lkey(), requests.buffer.address(), length);
        connection.await(Kind.RDMA_WRITE, "acknowledgement of the RDMA WRITE");
        output.debug("server rdma write complete");
        connection.post(requests.goAhead);
        output.debug("server posted go ahead");
        result.pinged(size);
    }

    private RemoteBuffer announced(RpingConnection connection, long least) {
        RemoteBuffer buffer = connection.announced();
        output.debug("server received sink adv");
        output.debug("Received rkey %x addr %x len %d from peer", buffer.rkey(), buffer.address(), buffer.length());
        if (buffer.length() < least || buffer.length() > PingText.LONGEST) {
            throw new ProgramException("the client describes a buffer of " + buffer.length() + " bytes, not of " + least
                    + " to " + PingText.LONGEST + "; is it another program?");
        }
        return buffer;
    }

    private void validate(MemorySegment text) {
        long wrong = options.validate ? PingText.mismatch(text, result.pings()) : -1;
        if (wrong >= 0) {
            throw new ProgramException(PingText.describe(text, result.pings(), wrong));
        }
    }

    private ProgramException trouble(ProgramException e) {
        String where = "client " + result.peer() + ", ping " + result.pings() + ": ";
        if (e.isDisconnected()) {
            output.say("server DISCONNECT EVENT...");
            return new ProgramException(where + "the client disconnected before it was done", e);
        }
        return new ProgramException(where + e.getMessage(), e);
    }
}
