package io.verbena.tools.copy;

import io.verbena.tools.program.MemoryBudget;
import io.verbena.tools.program.Output;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.ProgramOptions;
import io.verbena.tools.program.Refusal;
import io.verbena.tools.program.Result;
import io.verbena.tools.program.Statistics;
import io.verbena.tools.text.PrintableText;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.RemoteBuffer;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import java.lang.foreign.ValueLayout;

/// The server's part of one connection: offers memory, and prints its content when the client has disconnected.
final class CopyService {
    private final ProgramOptions options;
    private final MemoryBudget budget;
    private final OutFile out;
    private final Output output;
    private final Statistics statistics = new Statistics();
    private final Result result = new Result("server");

    /// @param out null when nothing is saved
    CopyService(ProgramOptions options, MemoryBudget budget, OutFile out) {
        this.options = options;
        this.budget = budget;
        this.out = out;
        this.output = options.output();
    }

    /// Serves a connection request until the connection ends.
    void serve(ConnectionId id) {
        result.connected(id);
        result.during(() -> offerMemory(id), this::conclude);
    }

    private void offerMemory(ConnectionId id) {
        ConnectionParameters asked = id.event().parameters();
        requireNoPrivateData(id, asked.privateData());
        try (var connection = new CopyConnection(id, options.timeout(), statistics)) { // posts a receive
            accept(id, asked);
            statistics.start();
            RemoteBuffer client = learnAttributes(connection);
            try (var _ = budget.take(client.length());
                    MemoryRegion buffer = id.protectionDomain()
                            .allocate(client.length(), Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE);
                    MemoryRegion original = readOriginal(id, connection, client);
                    connection) { // closed before the memory: a client of a stopped server gets no access error
                connection.sendAttributes(buffer);
                // now the client WRITEs into the buffer and READs it, without a completion on this side
                connection.awaitDisconnect(client);
                tell(buffer, original);
            }
        }
    }

    /// Clients of other programs send private data when they connect.
    private static void requireNoPrivateData(ConnectionId id, byte[] privateData) {
        for (byte b : privateData) {
            if (b != 0) {
                throw Refusal.refuse(id, "this is 'verbena copy', whose clients send no private data; wrong program?");
            }
        }
    }

    /// Accepts with as many READs as the client can serve.
    private static void accept(ConnectionId id, ConnectionParameters asked) {
        var ours = CopyConnection.PARAMETERS;
        id.accept(ours.withReads(
                Math.min(ours.responderResources(), asked.responderResources()),
                Math.min(ours.initiatorDepth(), asked.initiatorDepth())));
    }

    private RemoteBuffer learnAttributes(CopyConnection connection) {
        RemoteBuffer client;
        try {
            client = connection.awaitAttributes("buffer attributes from the client", 0);
        } catch (ProgramException e) {
            throw e.isDisconnected()
                    ? new ProgramException("the client disconnected before it sent its buffer attributes", e)
                    : e;
        }
        output.say("client %s: its buffer is %s", result.peer(), BufferAttributes.text(client));
        result.put("bytes", client.length());
        if (client.length() == 0) {
            throw new ProgramException("the client announces 0 bytes: there is nothing to copy");
        }
        return client;
    }

    /// With `--verify`: READs what the client is going to copy from the client's own buffer. Null without.
    private MemoryRegion readOriginal(ConnectionId id, CopyConnection connection, RemoteBuffer client) {
        if (!options.verify() && out == null) {
            return null;
        }
        MemoryRegion original = id.protectionDomain().allocate(client.length(), Access.LOCAL_WRITE);
        try {
            connection.read(original, client);
            return original;
        } catch (RuntimeException e) {
            original.close();
            throw e;
        }
    }

    private void tell(MemoryRegion buffer, MemoryRegion original) {
        String text = PrintableText.of(buffer.memory());
        String sha256 = text == null || output.isJson() ? Checksum.sha256(buffer.memory()) : null;
        output.say(
                "client %s: %,d %s arrived: %s",
                result.peer(),
                buffer.length(),
                buffer.length() == 1 ? "byte" : "bytes",
                text == null ? "SHA-256 " + sha256 : '"' + text + '"');
        result.put("sha256", sha256).put("text", text);
        if (original != null) {
            requireEqual(buffer, original);
        }
        if (out != null) {
            String file = out.save(buffer.memory()).toString();
            output.say("client %s: saved in %s", result.peer(), file);
            result.put("file", file);
        }
    }

    private void requireEqual(MemoryRegion buffer, MemoryRegion original) {
        long wrong = original.memory().mismatch(buffer.memory());
        result.put("equal", wrong < 0);
        if (wrong >= 0) {
            throw new ProgramException(
                    "the copy is wrong: byte %d of %d is 0x%02x, in the client's buffer it was 0x%02x"
                            .formatted(
                                    wrong,
                                    buffer.length(),
                                    buffer.memory().get(ValueLayout.JAVA_BYTE, wrong),
                                    original.memory().get(ValueLayout.JAVA_BYTE, wrong)));
        }
        output.say("client %s: all %,d bytes are those of its buffer", result.peer(), buffer.length());
    }

    private void conclude() {
        statistics.stop();
        options.print(result, statistics);
    }
}
