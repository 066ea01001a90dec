package io.verbena.tools.blast;

import io.verbena.tools.blast.BlastQueuePair.Purpose;
import io.verbena.tools.device.PathSeen;
import io.verbena.tools.program.Goodbye;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.ProgramOptions;
import io.verbena.tools.program.Progress;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.cm.ConnectionId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/// The client, which sends.
final class BlastClient {
    private final ProgramOptions options;
    private final BlastParameters parameters;
    private final boolean spin;
    private final BlastResult result;
    private final BooleanSupplier canGoOn = () -> canSend() || isDone();

    private BlastQueuePair queue;
    private Chain<SendRequest> messages;
    private ReceiveRequest[] acknowledgements;

    /// Messages posted, messages whose buffer is free again, and messages that the server has acknowledged.
    private long posted;

    private long sent;
    private long acknowledged;
    private long acknowledgementsReceived;

    BlastClient(ProgramOptions options, BlastParameters parameters, boolean spin) {
        this.options = options;
        this.parameters = parameters;
        this.spin = spin;
        this.result = new BlastResult("client", options.verify());
    }

    void run() {
        result.during(this::connectAndBlast, () -> {
            result.acknowledgements(acknowledgementsReceived, acknowledged);
            result.print(options.output(), options.statistics());
        });
    }

    private void connectAndBlast() {
        try (ConnectionId id = options.resolve(BlastCommand.PORT)) {
            requireFits(id);
            result.connected(id, parameters);
            try (var made = new BlastQueuePair(id, parameters, true, spin, options.timeout(), this::onCompleted)) {
                queue = made;
                prepareMessages();
                postReceivesForAcknowledgements();
                options.connect(id, BlastQueuePair.PARAMETERS.withPrivateData(parameters.encode()));
                result.established();
                options.output()
                        .say(
                                "connected to %s: sending %,d messages of %,d bytes from %d buffers",
                                result.peer(), parameters.count(), parameters.size(), parameters.buffers());
                blast(id);
                Goodbye.disconnect(id);
            }
        }
    }

    private void requireFits(ConnectionId id) {
        long most = id.context().port(id.port()).maxMessageBytes();
        if (parameters.size() > most) {
            throw new ProgramException("--size " + parameters.size() + " is more than the " + most
                    + " bytes that a message of this device may have");
        }
    }

    /// Makes one request for each buffer, which is posted again and again.
    private void prepareMessages() {
        List<SendRequest> requests = new ArrayList<>();
        for (long buffer = 0; buffer < parameters.buffers(); buffer++) {
            BlastPattern.fill(queue.messages().memory(), parameters.size(), buffer);
            requests.add(queue.newRequest(Purpose.MESSAGE)
                    .send()
                    .from(queue.messages(), buffer * parameters.size(), parameters.size()));
        }
        messages = new Chain<>(requests);
    }

    private void postReceivesForAcknowledgements() {
        acknowledgements = new ReceiveRequest[Acknowledgement.BUFFERS];
        for (int i = 0; i < Acknowledgement.BUFFERS; i++) {
            acknowledgements[i] = queue.qp()
                    .newReceiveRequest()
                    .wrId(BlastQueuePair.wrId(Purpose.ACKNOWLEDGEMENT))
                    .into(queue.acknowledgements(), (long) i * Acknowledgement.BYTES, Acknowledgement.BYTES);
            queue.qp().post(acknowledgements[i]);
        }
    }

    /// The measured loop, which allocates nothing.
    private void blast(ConnectionId id) {
        var statistics = result.statistics();
        var seen = PathSeen.from(id.context());
        statistics.start();
        try (var _ = Progress.start(options.output(), statistics::messages, parameters.count())) {
            while (!isDone()) {
                if (canSend()) {
                    int taken = queue.qp().postSends(messages.of(posted, end()));
                    posted += taken;
                    result.chain(taken);
                }
                queue.await(canGoOn, "acknowledgement from the server");
            }
        } catch (ProgramException e) {
            throw e.isDisconnected()
                    ? new ProgramException(
                            "the server disconnected after %,d of %,d messages; its own output tells why"
                                    .formatted(acknowledged, parameters.count()),
                            e)
                    : e;
        } finally {
            result.stop(seen.path());
        }
    }

    private boolean isDone() {
        return acknowledged >= parameters.count() && sent >= parameters.count() || queue.isWrong();
    }

    private boolean canSend() {
        return end() > posted;
    }

    /// Messages below this number may be posted: they have a buffer here, and a credit, which is a receive at the
    /// server.
    private long end() {
        long buffersFree = sent + parameters.buffers();
        long credits = acknowledged + parameters.buffers();
        return Math.min(parameters.count(), Math.min(buffersFree, credits));
    }

    private void onCompleted(Purpose purpose, WorkCompletion completion) {
        if (purpose == Purpose.MESSAGE) {
            sent++;
            result.statistics().sendCompleted();
            result.message(parameters.size());
        } else {
            result.statistics().receiveCompleted();
            onAcknowledgement(completion.byteLength());
        }
    }

    private void onAcknowledgement(long bytes) {
        int slot = (int) (acknowledgementsReceived++ % Acknowledgement.BUFFERS);
        long messages = Acknowledgement.read(queue.acknowledgements(), slot);
        if (bytes != Acknowledgement.BYTES) {
            queue.wrong("the server sent a message of " + bytes + " bytes; acknowledgements have "
                    + Acknowledgement.BYTES + ": is it another program?");
        } else if (messages < 0 || messages > posted - acknowledged) {
            queue.wrong("the server acknowledges " + Long.toUnsignedString(messages) + " messages, where "
                    + (posted - acknowledged) + " are in flight: is it another program?");
        } else {
            acknowledged += messages;
            queue.qp().post(acknowledgements[slot]); // there is room: this very receive was taken out
        }
    }
}
