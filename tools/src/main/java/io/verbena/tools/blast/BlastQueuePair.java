package io.verbena.tools.blast;

import io.verbena.tools.program.CompletionLoop;
import io.verbena.tools.program.ProgramConnection;
import io.verbena.tools.program.Waiting;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import java.time.Duration;
import java.util.function.BiConsumer;

/// The objects that both sides make before they connect: buffers for messages and acknowledgements, a completion queue
/// and a queue pair. The client sends messages and receives acknowledgements, the server the reverse.
final class BlastQueuePair extends ProgramConnection<BlastQueuePair.Purpose> {
    /// The parameters of the C program.
    static final ConnectionParameters PARAMETERS =
            ConnectionParameters.DEFAULT.withReads(2, 2).withRetries(5, 5);

    enum Purpose {
        MESSAGE("a message"),
        ACKNOWLEDGEMENT("an acknowledgement");

        private final String text;

        Purpose(String text) {
            this.text = text;
        }
    }

    private final boolean sends;
    private final BiConsumer<Purpose, WorkCompletion> onCompleted;

    /// @param sends whether this side sends the messages
    BlastQueuePair(
            ConnectionId id,
            BlastParameters parameters,
            boolean sends,
            boolean spin,
            Duration timeout,
            BiConsumer<Purpose, WorkCompletion> onCompleted) {
        int buffers = (int) parameters.buffers();
        int acknowledgements = Acknowledgement.BUFFERS;
        super(
                id,
                Purpose.class,
                new Sizes(
                        buffers + acknowledgements,
                        sends ? buffers : acknowledgements,
                        sends ? acknowledgements : buffers),
                new Waits(
                        true, spin ? _ -> Waiting.spinning() : Waiting::notified, CompletionLoop.Peer.of(id), timeout),
                new Memory(parameters.size() * buffers, Access.LOCAL_WRITE),
                new Memory((long) Acknowledgement.BYTES * acknowledgements, Access.LOCAL_WRITE));
        this.sends = sends;
        this.onCompleted = onCompleted;
    }

    @Override
    protected void onCompleted(Purpose purpose, WorkCompletion completion) {
        onCompleted.accept(purpose, completion);
    }

    @Override
    protected String name(Purpose purpose) {
        return (sends == (purpose == Purpose.MESSAGE) ? "SEND of " : "RECEIVE of ") + purpose.text;
    }

    /// All message buffers, one behind the other.
    MemoryRegion messages() {
        return memory(0);
    }

    MemoryRegion acknowledgements() {
        return memory(1);
    }
}
