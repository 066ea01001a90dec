package io.verbena.tools.copy;

import io.verbena.tools.program.Output;
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

/// The side that copies. The server's program takes no part in the copying: this side names the server's memory in
/// its requests, and the devices do the rest.
final class CopyClient implements AutoCloseable {
    private final ProgramOptions options;
    private final Output output;
    private final Statistics statistics = new Statistics();
    private final Result result;
    private final ConnectionId id;
    private CopyConnection connection;
    private MemoryRegion source;
    private MemoryRegion sink;
    private RemoteBuffer server;

    /// The id gets its address and route here.
    CopyClient(ProgramOptions options, Result result) {
        this.options = options;
        this.output = options.output();
        this.result = result;
        id = options.resolve(CopyCommand.PORT);
        result.connected(id);
    }

    /// All steps in their order.
    static void run(ProgramOptions options, Payload payload) {
        var result = new Result("client").put("bytes", payload.length());
        try (var client = new CopyClient(options, result)) {
            client.copy(payload);
        } catch (RuntimeException e) {
            result.failed(e);
            throw e;
        } finally {
            options.output().result(result.json());
        }
    }

    private void copy(Payload payload) {
        prepare(payload);
        connect();
        tellAndLearnAttributes();
        statistics.start();
        try (var _ = Progress.start(output, statistics::bytes, 2 * payload.length())) {
            write();
            readBack();
            statistics.stop();
            compare();
        } finally {
            conclude();
        }
        connection.disconnect();
    }

    /// Two buffers: one to copy from, which the server may look into, and one for what is read back.
    void prepare(Payload payload) {
        var pd = id.protectionDomain();
        source = pd.allocate(payload.length(), Access.LOCAL_WRITE, Access.REMOTE_READ);
        sink = pd.allocate(payload.length(), Access.LOCAL_WRITE);
        payload.fill(source.memory());
        if (output.isJson()) {
            result.put("sha256", Checksum.sha256(source.memory()));
        }
    }

    void connect() {
        connection = new CopyConnection(id, options.timeout(), statistics); // posts a receive
        options.connect(id, CopyConnection.PARAMETERS);
        output.say(
                "connected to %s with device %s",
                result.peer(), id.context().device().name());
    }

    /// SEND and RECEIVE: the only messages that both programs take part in.
    void tellAndLearnAttributes() {
        connection.sendAttributes(source);
        output.say("sent: our buffer, %s", BufferAttributes.text(source.remote()));
        try {
            server = connection.awaitAttributes("buffer attributes from the server", source.length());
        } catch (ProgramException e) {
            if (e.isDisconnected()) {
                throw new ProgramException(
                        "the server disconnected instead of telling its buffer: its own output tells why; is it too"
                                + " much for its --max?",
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

    /// Also when it was stopped in the middle.
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

    /// Newest first. Closing the id also tells the server, where no disconnect did.
    @Override
    public void close() {
        if (connection != null) {
            connection.close();
        }
        for (MemoryRegion region : new MemoryRegion[] {sink, source}) {
            if (region != null) {
                region.close();
            }
        }
        id.close();
    }
}
