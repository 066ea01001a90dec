package io.verbena.tools.copy;

import io.verbena.tools.program.Goodbye;
import io.verbena.tools.program.Output;
import io.verbena.tools.program.Owned;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.ProgramOptions;
import io.verbena.tools.program.Progress;
import io.verbena.tools.program.Result;
import io.verbena.tools.program.Statistics;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.RemoteBuffer;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.cm.ConnectionId;
import java.lang.foreign.ValueLayout;

/// The client, which copies. The server's program takes no part in it: the client's requests name the server's memory,
/// and the devices do the rest.
final class CopyClient implements AutoCloseable {
    private final ProgramOptions options;
    private final Output output;
    private final Statistics statistics = new Statistics();
    private final Result result;
    private final Owned owned = new Owned();
    private final ConnectionId id;
    private CopyConnection connection;
    private MemoryRegion source;
    private MemoryRegion sink;
    private RemoteBuffer server;

    /// Resolves the address and the route of the id.
    CopyClient(ProgramOptions options, Result result) {
        this.options = options;
        this.output = options.output();
        this.result = result;
        id = owned.add(options.resolve(CopyCommand.PORT));
        result.connected(id);
    }

    /// Runs all steps in their order.
    static void run(ProgramOptions options, CopyPayload payload) {
        var result = new Result("client").put("bytes", payload.length());
        Runnable copy = () -> {
            try (var client = new CopyClient(options, result)) {
                client.copy(payload);
            }
        };
        result.during(copy, () -> options.output().result(result.json()));
    }

    private void copy(CopyPayload payload) {
        prepare(payload);
        connect();
        exchangeAttributes();
        statistics.start();
        try (var _ = Progress.start(output, statistics::bytes, 2 * payload.length())) {
            write();
            readBack();
            statistics.stop();
            compare();
        } finally {
            conclude();
        }
        Goodbye.disconnect(id);
    }

    /// Makes two buffers: one to copy from, which the server may READ, and one for what is read back.
    void prepare(CopyPayload payload) {
        var pd = id.protectionDomain();
        source = owned.add(pd.allocate(payload.length(), Access.LOCAL_WRITE, Access.REMOTE_READ));
        sink = owned.add(pd.allocate(payload.length(), Access.LOCAL_WRITE));
        payload.fill(source.memory());
        if (output.isJson()) {
            result.put("sha256", Checksum.sha256(source.memory()));
        }
    }

    void connect() {
        connection = owned.add(new CopyConnection(id, options.timeout(), statistics)); // posts a receive
        options.connect(id, CopyConnection.PARAMETERS);
        output.say(
                "connected to %s with device %s",
                result.peer(), id.context().device().name());
    }

    /// SEND and RECEIVE: the only messages in which both programs take part.
    void exchangeAttributes() {
        connection.sendAttributes(source);
        output.say("sent: our buffer, %s", BufferAttributes.text(source.remote()));
        try {
            server = connection.awaitAttributes("buffer attributes from the server", source.length());
        } catch (ProgramException e) {
            if (e.isDisconnected()) {
                throw new ProgramException(
                        "the server disconnected before it sent its buffer attributes: its own output says why; is its"
                                + " --max too small?",
                        e);
            }
            throw e;
        }
        output.say("received: the server's buffer, %s", BufferAttributes.text(server));
        if (server.length() != source.length()) {
            throw new ProgramException("the server has room for " + server.length() + " bytes, but " + source.length()
                    + " were announced; is it another program?");
        }
    }

    void write() {
        connection.write(source, server);
        output.say("RDMA WRITE: %,d bytes are in the server's memory", source.length());
    }

    void readBack() {
        connection.read(sink, server);
        output.say("RDMA READ: %,d bytes came back", sink.length());
    }

    /// Prints the result, also after a run that was stopped.
    private void conclude() {
        result.put("moved", statistics.bytes());
        if (statistics.bytes() < 2 * source.length()) {
            statistics.stop();
            output.say(
                    "%,d of %,d bytes were written or read back before the end",
                    statistics.bytes(), 2 * source.length());
        }
        if (options.statistics()) {
            statistics.print(output);
            result.put("statistics", statistics.json());
        }
    }

    void compare() {
        long wrong = source.memory().mismatch(sink.memory());
        result.put("equal", wrong < 0);
        if (wrong >= 0) {
            throw new ProgramException("the copy is wrong: byte %d of %d came back as 0x%02x, not 0x%02x"
                    .formatted(
                            wrong,
                            source.length(),
                            sink.memory().get(ValueLayout.JAVA_BYTE, wrong),
                            source.memory().get(ValueLayout.JAVA_BYTE, wrong)));
        }
        output.say("all %,d bytes are equal", source.length());
    }

    /// Closing the id also disconnects.
    @Override
    public void close() {
        owned.close();
    }
}
