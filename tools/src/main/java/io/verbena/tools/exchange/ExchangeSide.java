package io.verbena.tools.exchange;

import io.verbena.tools.program.CompletionLoop;
import io.verbena.tools.program.Owned;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.Statistics;
import io.verbena.tools.program.Waiting;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RemoteBuffer;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.cm.ConnectionId;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.zip.CRC32;

/// One side of an exchange; client and server do the same. It is made before the connection exists; [#exchange] is
/// called after.
final class ExchangeSide implements AutoCloseable {
    /// The purpose of a request. It is the request's number, because a failed completion has no opcode.
    private enum Step {
        RECEIVE_MR("RECEIVE of the peer's key"),
        RECEIVE_DONE("RECEIVE of the peer's DONE"),
        SEND_MR("SEND of our key"),
        MOVE("RDMA operation on the peer's memory"),
        SEND_DONE("SEND of our DONE");

        private static final Step[] ALL = values();

        private final String text;

        Step(String text) {
            this.text = text;
        }
    }

    private final ExchangeTerms terms;
    private final Statistics statistics;
    private final Owned owned = new Owned();
    private final CompletionChannel channel;
    private final CompletionQueue cq;
    private final MemoryRegion messages;
    private final MemoryRegion outbox;
    private final MemoryRegion inbox;
    private final QueuePair qp;
    private final CompletionLoop loop;
    private final boolean[] completed = new boolean[Step.ALL.length];
    private final long[] receivedBytes = new long[2];
    private int expectedChecksum;

    /// @param text for the peer; truncated to the size of the buffers
    ExchangeSide(ConnectionId id, ExchangeTerms terms, byte[] text, Duration timeout, Statistics statistics) {
        this.terms = terms;
        this.statistics = statistics;
        try {
            channel = owned.add(id.context().createCompletionChannel());
            cq = owned.add(id.context().createCompletionQueue(Step.ALL.length, channel));
            ProtectionDomain pd = id.protectionDomain();
            messages = owned.add(pd.allocate((long) Step.ALL.length * ExchangeMessage.BYTES, Access.LOCAL_WRITE));
            // the peer gets the access that the mode needs, and no other
            boolean write = terms.mode() == ExchangeMode.WRITE;
            outbox = owned.add(write ? pd.allocate(terms.size()) : pd.allocate(terms.size(), Access.REMOTE_READ));
            inbox = owned.add(
                    write
                            ? pd.allocate(terms.size(), Access.LOCAL_WRITE, Access.REMOTE_WRITE)
                            : pd.allocate(terms.size(), Access.LOCAL_WRITE));
            qp = owned.add(id.createQueuePair(
                    pd, QueuePairOptions.rc(cq).sendRequests(3).receiveRequests(2)));
        } catch (RuntimeException e) {
            owned.close();
            throw e;
        }
        MemorySegment.copy(MemorySegment.ofArray(text), 0, outbox.memory(), 0, Math.min(text.length, terms.size()));
        loop = new CompletionLoop(
                cq,
                Waiting.notified(cq),
                CompletionLoop.Peer.of(id),
                timeout,
                this::onSuccess,
                wrId -> Step.ALL[(int) wrId].text);
        postReceive(Step.RECEIVE_MR); // the peer may send as soon as it is connected
        postReceive(Step.RECEIVE_DONE);
    }

    /// Runs all steps between connect and disconnect. After it the peer's text is in [#inbox].
    void exchange() {
        send(Step.SEND_MR, ExchangeMessage.mr(offered().remote(), checksum(outbox.memory())), qp.newSendRequest());
        ExchangeMessage peer = await(Step.RECEIVE_MR, ExchangeMessage.MR, "key from the peer");
        requireLength(peer.buffer());
        expectedChecksum = peer.checksum();

        move(peer.buffer());
        // fenced: a READ must be complete before the peer learns that we have finished with its memory
        send(Step.SEND_DONE, ExchangeMessage.done(), qp.newSendRequest().fenced());
        await(Step.MOVE, "completion of the RDMA operation");
        await(Step.RECEIVE_DONE, ExchangeMessage.DONE, "DONE from the peer");
        await(Step.SEND_DONE, "acknowledgement of our DONE");
    }

    /// The buffer that the peer may access.
    private MemoryRegion offered() {
        return terms.mode() == ExchangeMode.WRITE ? inbox : outbox;
    }

    /// WRITEs or READs, one-sided: the peer's program is not involved.
    private void move(RemoteBuffer peer) {
        SendRequest move = qp.newSendRequest().wrId(Step.MOVE.ordinal()).signaled();
        qp.post(
                terms.mode() == ExchangeMode.WRITE
                        ? move.write(peer).from(outbox, 0, outbox.length())
                        : move.read(peer).into(inbox, 0, inbox.length()));
    }

    private void send(Step step, ExchangeMessage message, SendRequest request) {
        long at = (long) step.ordinal() * ExchangeMessage.BYTES;
        message.write(messages.memory().asSlice(at, ExchangeMessage.BYTES));
        qp.post(request.wrId(step.ordinal())
                .send()
                .from(messages, at, ExchangeMessage.BYTES)
                .signaled()); // there is room: the queue has a slot for each of the three
    }

    private void postReceive(Step step) {
        qp.post(qp.newReceiveRequest()
                .wrId(step.ordinal())
                .into(messages, (long) step.ordinal() * ExchangeMessage.BYTES, ExchangeMessage.BYTES));
    }

    private void await(Step step, String what) {
        loop.await(() -> completed[step.ordinal()], what);
    }

    private ExchangeMessage await(Step step, int type, String what) {
        await(step, what);
        long bytes = receivedBytes[step.ordinal()];
        if (bytes != ExchangeMessage.BYTES) {
            throw new ProgramException("the peer sent a message of " + bytes + " bytes; those of exchange have "
                    + ExchangeMessage.BYTES + ": is it another program?");
        }
        long at = (long) step.ordinal() * ExchangeMessage.BYTES;
        var message = ExchangeMessage.read(messages.memory().asSlice(at, ExchangeMessage.BYTES));
        if (message.type() != type) {
            throw new ProgramException("the peer sent a message of type " + message.type() + " where one of type "
                    + type + " was due: is it another program?");
        }
        return message;
    }

    private void requireLength(RemoteBuffer peer) {
        if (peer.length() != terms.size()) {
            throw new ProgramException("the peer's buffer has " + peer.length() + " bytes, agreed were " + terms.size()
                    + ": is it another program?");
        }
    }

    private void onSuccess(WorkCompletion completion) {
        int step = (int) completion.wrId();
        completed[step] = true;
        switch (Step.ALL[step]) {
            case RECEIVE_MR, RECEIVE_DONE -> {
                receivedBytes[step] = completion.byteLength();
                statistics.receiveCompleted();
            }
            case SEND_MR, SEND_DONE -> statistics.sendCompleted();
            case MOVE -> {
                statistics.otherCompleted();
                statistics.message(terms.size());
            }
        }
    }

    /// Waits until the peer disconnects.
    boolean awaitDisconnect(Duration patience) {
        return loop.awaitDisconnect(patience);
    }

    /// The text from the peer.
    MemorySegment inbox() {
        return inbox.memory();
    }

    /// Throws unless the text has the peer's checksum.
    void verify() {
        int checksum = checksum(inbox.memory());
        if (checksum != expectedChecksum) {
            throw new ProgramException(
                    "the data from the peer is wrong: the CRC-32 of %d bytes is %08x, the peer says %08x"
                            .formatted(inbox.length(), checksum, expectedChecksum));
        }
    }

    static int checksum(MemorySegment bytes) {
        var crc = new CRC32();
        crc.update(bytes.asByteBuffer());
        return (int) crc.getValue();
    }

    /// The caller closes the id.
    @Override
    public void close() {
        owned.close();
    }
}
