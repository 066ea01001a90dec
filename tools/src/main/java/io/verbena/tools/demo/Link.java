package io.verbena.tools.demo;

import io.verbena.tools.plain.SpinLimit;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.WorkCompletionHandler;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionParameters;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A queue pair with 64-byte messages in both directions, one at a time, by busy polling. Sending and receiving
/// allocate nothing: the requests are made once and posted again and again.
final class Link implements AutoCloseable {
    static final int MESSAGE_BYTES = 64;

    private static final int RECEIVES = 16;
    private static final int SENDS = 64;
    // an unsignaled send holds its slot in the queue until a later one completes
    private static final int SIGNAL_EVERY = SENDS / 2;
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG;
    private static final int NOTHING = -1;

    private final CompletionQueue cq;
    private final MemoryRegion messages;
    private final QueuePair qp;
    private final ReceiveRequest[] receives = new ReceiveRequest[RECEIVES];
    private final SendRequest send;
    private final MemorySegment incoming;
    private final MemorySegment outgoing;
    private final WorkCompletionHandler onCompletion = this::onCompletion;
    private final SpinLimit limit = new SpinLimit("the other process does not answer", Patience.ANSWER);

    private int sends;
    private int arrived = NOTHING;
    private int consumed = NOTHING;
    private long writesDone;
    private String failure;
    private Command command;
    private long first;
    private long second;

    private Link(Connection connection) {
        var id = connection.id();
        ProtectionDomain pd = id.protectionDomain();
        cq = id.context().createCompletionQueue(RECEIVES + SENDS);
        messages = pd.allocate((long) (RECEIVES + 1) * MESSAGE_BYTES, Access.LOCAL_WRITE);
        var options = QueuePairOptions.rc(cq).sendRequests(SENDS).receiveRequests(RECEIVES);
        qp = id.createQueuePair(pd, options.inlineBytes(MESSAGE_BYTES));
        for (int i = 0; i < RECEIVES; i++) {
            receives[i] = qp.newReceiveRequest().wrId(i).into(messages, (long) i * MESSAGE_BYTES, MESSAGE_BYTES);
            qp.post(receives[i]);
        }
        incoming = messages.memory();
        long at = (long) RECEIVES * MESSAGE_BYTES;
        outgoing = messages.memory().asSlice(at, MESSAGE_BYTES);
        send = qp.newSendRequest().send().from(messages, at, MESSAGE_BYTES).inline();
    }

    static Link connect(Connection connection) {
        Link link = new Link(connection);
        connection.id().connect(ConnectionParameters.DEFAULT);
        connection.expect(CmEventType.ESTABLISHED);
        return link;
    }

    static Link accept(Connection connection) {
        Link link = new Link(connection);
        connection.id().accept(ConnectionParameters.DEFAULT);
        connection.expect(CmEventType.ESTABLISHED);
        return link;
    }

    QueuePair queuePair() {
        return qp;
    }

    /// Sends a message; [Command] says what its numbers mean.
    void send(Command what, long first, long second) {
        outgoing.set(WORD, 0, what.ordinal());
        outgoing.set(WORD, 8, first);
        outgoing.set(WORD, 16, second);
        send.signaled(++sends % SIGNAL_EVERY == 0);
        startWaiting();
        while (!qp.post(send)) {
            poll();
        }
    }

    /// Spins until a message arrives; [#command], [#first] and [#second] are its content.
    void awaitMessage() {
        giveBackReceive();
        startWaiting();
        while (arrived == NOTHING) {
            poll();
        }
        long at = (long) arrived * MESSAGE_BYTES;
        command = Command.of((int) incoming.get(WORD, at));
        first = incoming.get(WORD, at + 8);
        second = incoming.get(WORD, at + 16);
        consumed = arrived;
        arrived = NOTHING;
    }

    /// Posts the receive again. Not when the message arrives: the answer goes first, and many more receives are posted.
    private void giveBackReceive() {
        if (consumed != NOTHING) {
            qp.post(receives[consumed]); // there is room: this very receive was taken out
            consumed = NOTHING;
        }
    }

    /// To be called before a loop of [#poll]: starts its timeout.
    void startWaiting() {
        limit.restart();
    }

    /// Polls the completion queue once.
    void poll() {
        if (cq.poll(onCompletion, SIGNAL_EVERY) == 0) {
            limit.spin();
        } else {
            limit.restart();
        }
        if (failure != null) {
            throw new DemoException(failure);
        }
    }

    private void onCompletion(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            // keep the first status, which is the cause: the requests after it are only flushed
            failure = failure == null ? completion.status().explain() : failure;
        } else if (completion.opcode().isReceive()) {
            arrived = (int) completion.wrId();
        } else if (completion.opcode() == CompletionOpcode.RDMA_WRITE) {
            writesDone++;
        }
    }

    Command command() {
        return command;
    }

    long first() {
        return first;
    }

    long second() {
        return second;
    }

    long writesDone() {
        return writesDone;
    }

    /// Sends a command and returns the first number of the answer.
    long ask(Command what, long one, long two) {
        send(what, one, two);
        awaitMessage();
        if (command != Command.ANSWER) {
            throw new DemoException("expected an answer to " + what + ", but got " + command);
        }
        return first;
    }

    @Override
    public void close() {
        qp.close();
        messages.close();
        cq.close();
    }
}
