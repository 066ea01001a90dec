package io.verbena.tools.exchange;

import io.verbena.tools.program.Goodbye;
import io.verbena.tools.program.Output;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.ProgramOptions;
import io.verbena.tools.program.Refusal;
import io.verbena.tools.program.Result;
import io.verbena.tools.program.Statistics;
import io.verbena.tools.text.PrintableText;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// One connection, of the client ([#connect]) or of the server ([#serve]).
final class ExchangeRun {
    /// One READ at a time, seven retries.
    static final ConnectionParameters PARAMETERS =
            ConnectionParameters.DEFAULT.withReads(1, 1).withRetries(7, 7);

    private final ProgramOptions options;
    private final Output output;
    private final String text;
    private final Statistics statistics = new Statistics();
    private final Result result;

    /// @param text for the peer; null for one that names its sender
    ExchangeRun(ProgramOptions options, String text) {
        this.options = options;
        this.output = options.output();
        this.text = text;
        this.result = new Result(options.isServer() ? "server" : "client");
    }

    /// The client decides the terms.
    void connect(ExchangeTerms terms) {
        guarded(() -> {
            try (ConnectionId id = options.resolve(ExchangeCommand.PORT)) {
                result.connected(id);
                try (var side = new ExchangeSide(id, terms, text(), options.timeout(), statistics)) {
                    options.connect(id, PARAMETERS.withPrivateData(terms.encode()));
                    exchange(side, terms);
                    Goodbye.disconnect(id);
                }
            }
        });
    }

    /// The server accepts the client's terms, unless they are invalid.
    void serve(ConnectionId id, ExchangeMode own) {
        guarded(() -> {
            result.connected(id);
            byte[] asked = id.event().privateData();
            String complaint = ExchangeTerms.complaint(asked);
            if (complaint != null) {
                throw Refusal.refuse(id, complaint);
            }
            var terms = ExchangeTerms.decode(asked);
            if (own != null && own != terms.mode()) {
                output.say("client %s asks for mode %s, and the client decides", result.peer(), terms.mode());
            }
            try (var side = new ExchangeSide(id, terms, text(), options.timeout(), statistics)) {
                id.accept(PARAMETERS);
                exchange(side, terms);
                if (!side.loop().awaitDisconnect(options.step())) {
                    throw new ProgramException("all is done, but the client did not disconnect within "
                            + options.step().toSeconds() + " s");
                }
            }
        });
    }

    private void exchange(ExchangeSide side, ExchangeTerms terms) {
        result.put("mode", terms.mode()).put("bytes", terms.size());
        statistics.start();
        try {
            side.exchange();
        } catch (ProgramException e) {
            throw e.isDisconnected()
                    ? new ProgramException("the peer disconnected before the exchange was done", e)
                    : e;
        } finally {
            statistics.stop();
        }
        tell(side.inbox(), terms);
        if (options.verify()) {
            side.verify();
            result.put("verified", true);
            output.say("all %,d bytes are as the peer has them", terms.size());
        }
    }

    private void tell(MemorySegment inbox, ExchangeTerms terms) {
        String how = terms.mode() == ExchangeMode.WRITE ? "wrote into our memory" : "had in its memory, and we read";
        String got = PrintableText.beforeZero(inbox);
        result.put("received", got).put("checksum", "%08x".formatted(ExchangeSide.checksum(inbox)));
        output.say(
                "%s %s: %s",
                result.peer(),
                how,
                got != null
                        ? '"' + got + '"'
                        : "%,d bytes, CRC-32 %08x".formatted(inbox.byteSize(), ExchangeSide.checksum(inbox)));
    }

    private byte[] text() {
        String own = text != null
                ? text
                : "message from " + (options.isServer() ? "passive/server" : "active/client") + " side with pid "
                        + ProcessHandle.current().pid();
        return own.getBytes(StandardCharsets.UTF_8);
    }

    private void guarded(Runnable body) {
        result.during(body, () -> options.print(result, statistics));
    }
}
