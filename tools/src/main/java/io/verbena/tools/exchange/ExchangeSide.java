package io.verbena.tools.exchange;

import io.verbena.tools.program.ProgramConnection;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.Statistics;
import io.verbena.verbs.MemoryRegion;
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
final class ExchangeSide extends ProgramConnection<ExchangeSide.Step> {
    enum Step {
        RECEIVE_MR("RECEIVE of the peer's key"),
        RECEIVE_DONE("RECEIVE of the peer's DONE"),
        SEND_MR("SEND of our key"),
        MOVE("RDMA operation on the peer's memory"),
        SEND_DONE("SEND of our DONE");

        private final String text;

        Step(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private static final int STEPS = Step.values().length;
    private static final Sizes SIZES = new Sizes(STEPS, 3, 2);

    private final ExchangeTerms terms;
    private final Statistics statistics;
    private final MemoryRegion messages = memory(0);
    private final MemoryRegion outbox = memory(1);
    private final MemoryRegion inbox = memory(2);
    private final long[] receivedBytes = new long[2];
    private int expectedChecksum;

    /// @param text for the peer; truncated to the size of the buffers
    ExchangeSide(ConnectionId id, ExchangeTerms terms, byte[] text, Duration timeout, Statistics statistics) {
        // the peer gets the access that the mode needs, and no other
        boolean write = terms.mode() == ExchangeMode.WRITE;
        super(
                id,
                Step.class,
                SIZES,
                Waits.asleep(id, timeout),
                new Memory((long) STEPS * ExchangeMessage.BYTES, Access.LOCAL_WRITE),
                write ? new Memory(terms.size()) : new Memory(terms.size(), Access.REMOTE_READ),
                write
                        ? new Memory(terms.size(), Access.LOCAL_WRITE, Access.REMOTE_WRITE)
                        : new Memory(terms.size(), Access.LOCAL_WRITE));
        this.terms = terms;
        this.statistics = statistics;
        MemorySegment.copy(MemorySegment.ofArray(text), 0, outbox.memory(), 0, Math.min(text.length, terms.size()));
        postReceive(Step.RECEIVE_MR); // the peer may send as soon as it is connected
        postReceive(Step.RECEIVE_DONE);
    }

    /// Runs all steps between connect and disconnect. After it the peer's text is in [#inbox].
    void exchange() {
        send(Step.SEND_MR, ExchangeMessage.mr(offered().remote(), checksum(outbox.memory())), qp().newSendRequest());
        ExchangeMessage peer = await(Step.RECEIVE_MR, ExchangeMessage.MR, "key from the peer");
        requireLength(peer.buffer());
        expectedChecksum = peer.checksum();

        move(peer.buffer());
        // fenced: a READ must be complete before the peer learns that we have finished with its memory
        send(Step.SEND_DONE, ExchangeMessage.done(), qp().newSendRequest().fenced());
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
        SendRequest move = newRequest(Step.MOVE);
        qp().post(
                        terms.mode() == ExchangeMode.WRITE
                                ? move.write(peer).from(outbox, 0, outbox.length())
                                : move.read(peer).into(inbox, 0, inbox.length()));
    }

    private void send(Step step, ExchangeMessage message, SendRequest request) {
        long at = (long) step.ordinal() * ExchangeMessage.BYTES;
        message.write(messages.memory().asSlice(at, ExchangeMessage.BYTES));
        qp().post(request.wrId(wrId(step))
                .send()
                .from(messages, at, ExchangeMessage.BYTES)
                .signaled()); // there is room: the queue has a slot for each of the three
    }

    private void postReceive(Step step) {
        qp().post(qp().newReceiveRequest()
                .wrId(wrId(step))
                .into(messages, (long) step.ordinal() * ExchangeMessage.BYTES, ExchangeMessage.BYTES));
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

    @Override
    protected void onCompleted(Step step, WorkCompletion completion) {
        switch (step) {
            case RECEIVE_MR, RECEIVE_DONE -> {
                receivedBytes[step.ordinal()] = completion.byteLength();
                statistics.receiveCompleted();
            }
            case SEND_MR, SEND_DONE -> statistics.sendCompleted();
            case MOVE -> {
                statistics.otherCompleted();
                statistics.message(terms.size());
            }
        }
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
}
