package io.verbena.tools.demo;

import io.verbena.tools.program.ProgramException;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.cm.ConnectionId;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.BooleanSupplier;

/// A queue pair with 64-byte messages in both directions, one at a time, by busy polling. Sending and receiving
/// allocate nothing: the requests are made once and posted again and again.
final class Link extends DemoConnection {
    static final int MESSAGE_BYTES = 64;
    private static final int RECEIVES = 16;
    private static final int SENDS = 64;
    // an unsignaled send holds its slot in the queue until a later one completes
    private static final int SIGNAL_EVERY = SENDS / 2;
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG;
    private static final int NOTHING = -1;

    private final ReceiveRequest[] receives = new ReceiveRequest[RECEIVES];
    private final SendRequest send;
    private final MemorySegment incoming;
    private final MemorySegment outgoing;
    private int sends;
    private int arrived = NOTHING;
    private final BooleanSupplier hasArrived = () -> arrived != NOTHING;
    private int consumed = NOTHING;
    private Command command;
    private long first;
    private long second;

    Link(ConnectionId id, Report report) {
        super(
                id,
                report,
                new Sizes(RECEIVES + SENDS, SENDS, RECEIVES),
                true,
                new Memory((long) (RECEIVES + 1) * MESSAGE_BYTES, Access.LOCAL_WRITE));
        MemoryRegion messages = memory(0);
        for (int i = 0; i < RECEIVES; i++) {
            receives[i] = qp().newReceiveRequest()
                    .wrId(wrId(Purpose.RECEIVE, i))
                    .into(messages, (long) i * MESSAGE_BYTES, MESSAGE_BYTES);
            qp().post(receives[i]);
        }
        incoming = messages.memory();
        long at = (long) RECEIVES * MESSAGE_BYTES;
        outgoing = messages.memory().asSlice(at, MESSAGE_BYTES);
        send = newRequest(Purpose.SEND).send().from(messages, at, MESSAGE_BYTES).inline();
    }

    /// Sends a message; [Command] says what its numbers mean.
    void send(Command what, long first, long second) {
        outgoing.set(WORD, 0, what.ordinal());
        outgoing.set(WORD, 8, first);
        outgoing.set(WORD, 16, second);
        send.signaled(++sends % SIGNAL_EVERY == 0);
        if (!qp().post(send)) {
            post(send);
        }
    }

    /// Spins until a message arrives; [#command], [#first] and [#second] are its content.
    void awaitMessage() {
        giveBackReceive();
        await(hasArrived, "message");
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
            qp().post(receives[consumed]); // there is room: this very receive was taken out
            consumed = NOTHING;
        }
    }

    @Override
    protected void onCompleted(Purpose purpose, WorkCompletion completion) {
        if (purpose == Purpose.RECEIVE) {
            arrived = (int) rest(completion.wrId());
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

    /// Sends a command and returns the first number of the answer.
    long ask(Command what, long one, long two) {
        send(what, one, two);
        awaitMessage();
        if (command != Command.ANSWER) {
            throw new ProgramException("expected an answer to " + what + ", but got " + command);
        }
        return first;
    }
}
