package io.verbena.tools.demo;

import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RemoteBuffer;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Locale;
import java.util.Queue;

/// The classic first RDMA program, `rdma_client` and `rdma_server` of rdma-example: exchange the places of buffers,
/// WRITE into the peer's, READ it back, compare. The messages are those of the C programs.
///
/// Message: 16 bytes in host order, address u64, length u32, key u32.
final class Exchange {
    private static final int MESSAGE_BYTES = 16;
    private static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED;

    private static final int ANY_BYTES = 10_000; // several packets, and the last one not full
    private static final Access[] OPEN_TO_PEER = {Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE};
    // As the C programs: no RNR retry, so both sides post their receive before they connect or accept.
    private static final ConnectionParameters PARAMETERS =
            ConnectionParameters.DEFAULT.withReads(3, 3).withRetries(3, 0);

    private final Report report;
    private final Queue<WorkCompletion> completions = new ArrayDeque<>();

    private Exchange(Report report) {
        this.report = report;
    }

    static QueuePairOptions options(CompletionQueue cq) {
        return QueuePairOptions.rc(cq).sendRequests(8).receiveRequests(8).scatterGather(2, 2);
    }

    /// The client's part; returns the number of bytes that came back correctly.
    static long client(Connection connection, Report report) {
        return new Exchange(report).runClient(connection);
    }

    private long runClient(Connection connection) {
        ConnectionId id = connection.id();
        ProtectionDomain pd = id.protectionDomain();
        byte[] text = text();
        try (CompletionQueue cq = id.context().createCompletionQueue(16);
                MemoryRegion messages = pd.allocate(2 * MESSAGE_BYTES, Access.LOCAL_WRITE);
                MemoryRegion source = pd.allocate(text.length, OPEN_TO_PEER);
                MemoryRegion copy = pd.allocate(text.length, Access.LOCAL_WRITE);
                QueuePair qp = id.createQueuePair(pd, options(cq))) {
            MemorySegment.copy(text, 0, source.memory(), ValueLayout.JAVA_BYTE, 0, text.length);
            postReceive(qp, messages);
            id.connect(PARAMETERS);
            connection.expect(CmEventType.ESTABLISHED);

            sendAttributes(qp, messages, source);
            // the server's answer may arrive before the completion of our own SEND
            await(cq, CompletionOpcode.SEND, MESSAGE_BYTES);
            await(cq, CompletionOpcode.RECEIVE, MESSAGE_BYTES);
            RemoteBuffer remote = readAttributes(messages);

            post(qp, qp.newSendRequest().wrId(3).write(remote).from(source, 0, text.length), "RDMA WRITE", text.length);
            await(cq, CompletionOpcode.RDMA_WRITE, text.length);
            post(qp, qp.newSendRequest().wrId(4).read(remote).into(copy, 0, text.length), "RDMA READ", text.length);
            await(cq, CompletionOpcode.RDMA_READ, text.length);

            requireSame(copy.memory(), source.memory(), "what was read back differs from what was written");
            report.event("%,d bytes read back are those written", text.length);
            id.disconnect();
            connection.expect(CmEventType.DISCONNECTED);
            return text.length;
        }
    }

    /// The server's part, for a connection not yet accepted; returns the number of bytes that arrived correctly.
    static long server(Connection connection, Report report) {
        return new Exchange(report).runServer(connection);
    }

    private long runServer(Connection connection) {
        ConnectionId id = connection.id();
        ProtectionDomain pd = id.protectionDomain();
        byte[] text = text();
        try (CompletionQueue cq = id.context().createCompletionQueue(16);
                MemoryRegion messages = pd.allocate(2 * MESSAGE_BYTES, Access.LOCAL_WRITE);
                MemoryRegion target = pd.allocate(text.length, OPEN_TO_PEER);
                QueuePair qp = id.createQueuePair(pd, options(cq))) {
            postReceive(qp, messages);
            id.accept(PARAMETERS);
            connection.expect(CmEventType.ESTABLISHED);

            await(cq, CompletionOpcode.RECEIVE, MESSAGE_BYTES);
            RemoteBuffer theirs = readAttributes(messages);
            if (theirs.length() > target.length()) {
                throw new DemoException("the client wants " + theirs.length() + " bytes, not " + target.length());
            }
            sendAttributes(qp, messages, target);
            await(cq, CompletionOpcode.SEND, MESSAGE_BYTES);

            // WRITE and READ need nothing from this side: it checks its memory when the client has disconnected
            connection.expect(CmEventType.DISCONNECTED);
            requireSame(target.memory(), MemorySegment.ofArray(text), "what the client wrote is not what was expected");
            report.event("%,d bytes arrived as expected", text.length);
            return text.length;
        }
    }

    private void postReceive(QueuePair qp, MemoryRegion messages) {
        require(qp.post(qp.newReceiveRequest().wrId(1).into(messages, 0, MESSAGE_BYTES)), "RECEIVE");
        report.event("post RECEIVE for %d bytes", MESSAGE_BYTES);
    }

    private void sendAttributes(QueuePair qp, MemoryRegion messages, MemoryRegion described) {
        MemorySegment message = messages.memory().asSlice(MESSAGE_BYTES, MESSAGE_BYTES);
        message.set(U64, 0, described.address());
        message.set(U32, 8, (int) described.length());
        message.set(U32, 12, described.rkey());
        post(
                qp,
                qp.newSendRequest().wrId(2).send().from(messages, MESSAGE_BYTES, MESSAGE_BYTES),
                "SEND buffer attributes",
                MESSAGE_BYTES);
    }

    private RemoteBuffer readAttributes(MemoryRegion messages) {
        MemorySegment message = messages.memory();
        var remote = new RemoteBuffer(
                message.get(U64, 0), Integer.toUnsignedLong(message.get(U32, 8)), message.get(U32, 12));
        report.event("peer's buffer: 0x%x, key 0x%x", remote.address(), remote.rkey());
        return remote;
    }

    private void post(QueuePair qp, SendRequest request, String name, long bytes) {
        report.event("post %s, %,d bytes", name, bytes);
        require(qp.post(request.signaled()), name);
    }

    private static void require(boolean posted, String name) {
        if (!posted) {
            throw new DemoException("the queue is full, cannot post " + name);
        }
    }

    /// Waits for a completion of that opcode; others that come first are kept for later.
    private void await(CompletionQueue cq, CompletionOpcode wanted, long bytes) {
        while (true) {
            for (WorkCompletion completion : completions) {
                if (completion.opcode() == wanted) {
                    completions.remove(completion);
                    report.event("completed %s, %,d bytes", name(wanted), bytes);
                    return;
                }
            }
            int n = cq.poll(c -> completions.add(c.copy()), 1, Patience.ANSWER);
            if (n == 0) {
                throw new DemoException("no completion of " + name(wanted) + " within " + Patience.ANSWER.toSeconds()
                        + " s: the other process hangs or is gone");
            }
            for (WorkCompletion completion : completions) {
                if (!completion.isSuccess()) {
                    throw new DemoException(
                            name(wanted) + " failed: " + completion.status().explain());
                }
            }
        }
    }

    private static String name(CompletionOpcode opcode) {
        return opcode.name().toUpperCase(Locale.ROOT).replace('_', ' ');
    }

    private static void requireSame(MemorySegment actual, MemorySegment expected, String complaint) {
        long at = actual.mismatch(expected);
        if (at >= 0) {
            throw new DemoException(complaint + ", first at byte " + at);
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
