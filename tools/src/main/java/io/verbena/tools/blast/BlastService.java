package io.verbena.tools.blast;

import io.verbena.tools.blast.BlastQueuePair.Purpose;
import io.verbena.tools.device.PathsSeen;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.ProgramOptions;
import io.verbena.tools.program.Refusal;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.cm.ConnectionId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/// The server's part of one connection: receives.
final class BlastService {
    private final ProgramOptions options;
    private final boolean spin;
    private final PathsSeen paths;
    private final BlastResult result;
    private final BooleanSupplier hasWork = this::hasWork;

    private BlastParameters parameters;
    private BlastQueuePair queue;
    private Chain<ReceiveRequest> messages;
    private SendRequest[] acknowledgements;

    /// Messages received, messages verified, receives posted, and messages acknowledged.
    private long received;

    private long seen;
    private long posted;
    private long acknowledged;
    private long acknowledgementsPosted;
    private long acknowledgementsSent;

    /// @param paths the paths of all clients of the server
    BlastService(ProgramOptions options, boolean spin, PathsSeen paths) {
        this.paths = paths;
        this.options = options;
        this.spin = spin;
        this.result = new BlastResult("server", options.verify());
    }

    /// Serves a connection request until the connection ends.
    void serve(ConnectionId id) {
        result.during(() -> accept(id), () -> {
            result.acknowledgements(acknowledgementsPosted, acknowledged);
            result.print(options.output(), options.statistics());
        });
    }

    private void accept(ConnectionId id) {
        parameters = agree(id);
        result.connected(id, parameters);
        try (var made = open(id)) {
            queue = made;
            prepareAcknowledgements();
            postReceivesForMessages();
            id.accept(BlastQueuePair.PARAMETERS);
            result.established();
            receive(id);
            queue.loop().awaitDisconnect(options.step());
        }
    }

    private static BlastParameters agree(ConnectionId id) {
        byte[] told = id.event().privateData();
        String complaint = BlastParameters.complaint(told);
        if (complaint != null) {
            throw Refusal.refuse(id, complaint);
        }
        BlastParameters parameters = BlastParameters.decode(told);
        long most = id.context().port(id.port()).maxMessageBytes();
        if (parameters.size() > most) {
            throw Refusal.refuse(
                    id, "size " + parameters.size() + " is more than the " + most + " bytes of the device");
        }
        return parameters;
    }

    private BlastQueuePair open(ConnectionId id) {
        try {
            return new BlastQueuePair(id, parameters, false, spin, options.timeout(), this::onCompleted);
        } catch (RdmaException e) {
            throw Refusal.refuse(id, e.getMessage());
        }
    }

    private void prepareAcknowledgements() {
        acknowledgements = new SendRequest[Acknowledgement.BUFFERS];
        for (int i = 0; i < Acknowledgement.BUFFERS; i++) {
            acknowledgements[i] = queue.newRequest(Purpose.ACKNOWLEDGEMENT)
                    .send()
                    .from(queue.acknowledgements(), (long) i * Acknowledgement.BYTES, Acknowledgement.BYTES);
        }
    }

    /// Posts a receive for each message that the client may send before the first acknowledgement.
    private void postReceivesForMessages() {
        List<ReceiveRequest> requests = new ArrayList<>();
        for (long buffer = 0; buffer < parameters.buffers(); buffer++) {
            requests.add(queue.qp()
                    .newReceiveRequest()
                    .wrId(BlastQueuePair.wrId(Purpose.MESSAGE))
                    .into(queue.messages(), buffer * parameters.size(), parameters.size()));
        }
        messages = new Chain<>(requests);
        posted = queue.qp().postReceives(messages.of(0, parameters.buffers()));
    }

    /// The measured loop, which allocates nothing.
    private void receive(ConnectionId id) {
        var path = paths.begin(id.context());
        result.statistics().start();
        try {
            while (!isDone()) {
                queue.await(hasWork, "message from the client");
                verify();
                postReceivesAgain();
                if (isAcknowledgementDue()) {
                    acknowledge(); // after posting: a credit promises a receive
                }
            }
        } catch (ProgramException e) {
            if (e.isDisconnected() && acknowledged >= parameters.count()) {
                return; // the client got the last acknowledgement and left before it completed here
            }
            throw e.isDisconnected()
                    ? new ProgramException(
                            "the client disconnected after %,d of %,d messages".formatted(received, parameters.count()),
                            e)
                    : e;
        } finally {
            result.stop(path.end());
        }
    }

    private boolean hasWork() {
        return seen < received || isAcknowledgementDue() || isDone() || queue.isWrong();
    }

    private boolean isDone() {
        return acknowledged >= parameters.count() && acknowledgementsSent == acknowledgementsPosted;
    }

    /// Overwrites what it has verified, so that a message that never arrived is not mistaken for a correct one.
    private void verify() {
        for (; seen < received; seen++) {
            long buffer = seen % parameters.buffers();
            if (options.verify()) {
                var memory = queue.messages().memory();
                long at = BlastPattern.mismatch(memory, parameters.size(), buffer);
                if (at >= 0) {
                    throw new ProgramException(BlastPattern.describe(memory, parameters.size(), seen, buffer, at));
                }
                memory.asSlice(buffer * parameters.size(), parameters.size()).fill((byte) 0);
            }
        }
    }

    /// Posts one receive for each message that arrived, in one chain, but none beyond the last message.
    private void postReceivesAgain() {
        long end = Math.min(received + parameters.buffers(), Math.max(parameters.count(), posted));
        if (end > posted) {
            posted += queue.qp().postReceives(messages.of(posted, end));
        }
    }

    /// An acknowledgement is due with the last message or when a third of the buffers was received, if one of the three
    /// acknowledgement buffers is free.
    private boolean isAcknowledgementDue() {
        long due = seen - acknowledged;
        long enough = seen >= parameters.count() ? 1 : Math.max(1, parameters.buffers() / Acknowledgement.BUFFERS);
        return due >= enough && acknowledgementsPosted - acknowledgementsSent < Acknowledgement.BUFFERS;
    }

    private void acknowledge() {
        int slot = (int) (acknowledgementsPosted++ % Acknowledgement.BUFFERS);
        Acknowledgement.write(queue.acknowledgements(), slot, seen - acknowledged);
        queue.qp().post(acknowledgements[slot]);
        acknowledged = seen;
    }

    private void onCompleted(Purpose purpose, WorkCompletion completion) {
        if (purpose == Purpose.ACKNOWLEDGEMENT) {
            acknowledgementsSent++;
            result.statistics().sendCompleted();
            return;
        }
        received++;
        result.statistics().receiveCompleted();
        result.message(completion.byteLength());
        if (completion.byteLength() != parameters.size()) {
            queue.wrong("message " + (received - 1) + " has " + completion.byteLength() + " bytes, agreed were "
                    + parameters.size());
        }
    }
}
