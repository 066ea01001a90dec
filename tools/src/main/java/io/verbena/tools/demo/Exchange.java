package io.verbena.tools.demo;

import io.verbena.tools.copy.BufferAttributes;
import io.verbena.tools.program.ProgramException;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.RemoteBuffer;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// The classic first RDMA program, `rdma_client` and `rdma_server` of rdma-example: exchange the places of buffers,
/// WRITE into the peer's, READ it back, compare. The messages are those of the C programs.
final class Exchange extends DemoConnection {
    private static final int MESSAGE_BYTES = BufferAttributes.BYTES;
    private static final int ANY_BYTES = 10_000; // several packets, and the last one not full

    // As the C programs: no RNR retry, so both sides post their receive before they connect or accept.
    private static final ConnectionParameters PARAMETERS =
            ConnectionParameters.DEFAULT.withReads(3, 3).withRetries(3, 0);

    private final byte[] text = text();
    private final MemoryRegion messages = memory(0);
    private final MemoryRegion buffer = memory(1);
    private final MemoryRegion copy = memory(2);

    private Exchange(ConnectionId id, Report report) {
        super(
                id,
                report,
                new Sizes(16, 8, 8),
                false,
                new Memory(2 * MESSAGE_BYTES, Access.LOCAL_WRITE),
                new Memory(ANY_BYTES, Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE),
                new Memory(ANY_BYTES, Access.LOCAL_WRITE));
        qp().post(qp().newReceiveRequest().wrId(wrId(Purpose.RECEIVE)).into(messages, 0, MESSAGE_BYTES));
        report.event("post RECEIVE for %d bytes", MESSAGE_BYTES);
    }

    /// The client's part; returns the number of bytes that came back correctly.
    static long client(ConnectionId id, Report report) {
        try (var exchange = new Exchange(id, report)) {
            return exchange.runClient();
        }
    }

    private long runClient() {
        MemorySegment.copy(text, 0, buffer.memory(), ValueLayout.JAVA_BYTE, 0, text.length);
        connect(PARAMETERS);
        sendAttributes();
        // the server's answer may arrive before the completion of our own SEND
        await(Purpose.SEND, MESSAGE_BYTES);
        RemoteBuffer remote = readAttributes();

        post(newRequest(Purpose.RDMA_WRITE).write(remote).from(buffer, 0, text.length), "RDMA WRITE", text.length);
        await(Purpose.RDMA_WRITE, text.length);
        post(newRequest(Purpose.RDMA_READ).read(remote).into(copy, 0, text.length), "RDMA READ", text.length);
        await(Purpose.RDMA_READ, text.length);
        requireSame(copy.memory(), buffer.memory(), "what was read back differs from what was written");
        report.event("%,d bytes read back are those written", text.length);

        disconnect();
        return text.length;
    }

    /// The server's part, for a connection not yet accepted; returns the number of bytes that arrived correctly.
    static long server(ConnectionId id, Report report) {
        try (var exchange = new Exchange(id, report)) {
            return exchange.runServer();
        }
    }

    private long runServer() {
        accept(PARAMETERS);
        RemoteBuffer theirs = readAttributes();
        if (theirs.length() > buffer.length()) {
            throw new ProgramException("the client wants " + theirs.length() + " bytes, not " + buffer.length());
        }
        sendAttributes();
        await(Purpose.SEND, MESSAGE_BYTES);

        // WRITE and READ need nothing from this side: it checks its memory when the client has disconnected
        awaitDisconnect();
        requireSame(buffer.memory(), MemorySegment.ofArray(text), "what the client wrote is not what was expected");
        report.event("%,d bytes arrived as expected", text.length);
        return text.length;
    }

    private void sendAttributes() {
        BufferAttributes.write(messages.memory().asSlice(MESSAGE_BYTES), buffer.remote());
        SendRequest send = newRequest(Purpose.SEND).send().from(messages, MESSAGE_BYTES, MESSAGE_BYTES);
        post(send, "SEND buffer attributes", MESSAGE_BYTES);
    }

    private RemoteBuffer readAttributes() {
        await(Purpose.RECEIVE, MESSAGE_BYTES);
        RemoteBuffer remote = BufferAttributes.read(messages.memory());
        report.event("peer's buffer: 0x%x, key 0x%x", remote.address(), remote.rkey());
        return remote;
    }

    private void post(SendRequest request, String name, long bytes) {
        report.event("post %s, %,d bytes", name, bytes);
        post(request);
    }

    private void await(Purpose purpose, long bytes) {
        await(purpose, "completion of " + purpose);
        report.event("completed %s, %,d bytes", purpose, bytes);
    }

    @Override
    protected void onCompleted(Purpose purpose, WorkCompletion completion) {
        // await reports it
    }

    private static void requireSame(MemorySegment actual, MemorySegment expected, String complaint) {
        long at = actual.mismatch(expected);
        if (at >= 0) {
            throw new ProgramException(complaint + ", first at byte " + at);
        }
    }

    /// Lines that are readable in a packet trace.
    private static byte[] text() {
        StringBuilder text = new StringBuilder(ANY_BYTES + 64);
        for (int line = 1; text.length() < ANY_BYTES; line++) {
            text.append(String.format(Locale.ROOT, "line %03d, written into the memory of another process\n", line));
        }
        return text.substring(0, ANY_BYTES).getBytes(StandardCharsets.US_ASCII);
    }
}
