package io.verbena.tools.exchange;

import io.verbena.tools.program.ProgramOptions;
import io.verbena.tools.program.ProgramServer;
import io.verbena.tools.text.ByteCount;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The read/write example of RDMA tutorials: both sides exchange keys, then access each other's memory.
@Command(
        name = "exchange",
        sortOptions = false,
        description = {
            "Exchanges texts: each side WRITEs into the memory of the other, or READs it.",
            "First each side advertises a buffer, and at the end each sends DONE. Port 20887."
        },
        footer = {
            "",
            "Examples:",
            "  verbena exchange                                serve, show what each client gives",
            "  verbena exchange 127.0.0.1                      each WRITEs into the other's memory",
            "  verbena exchange 127.0.0.1 --mode read          each READs the other's memory",
            "  verbena exchange -p 0                           serve on a port that is free, and say which",
            "  verbena exchange 10.0.0.2 --text 'good day' --size 1m --verify",
            "",
            "The client's --mode and --size count for both sides: it tells them when it connects.",
            "",
            "Exit code 0 when both sides are done (with --verify: right), 1 when not, 2 for wrong usage."
        })
public final class ExchangeCommand implements Callable<Integer> {
    /// The C programs take any free port; a fixed one is easier to type.
    static final int PORT = 20887;

    @Mixin
    private ProgramOptions options;

    @Option(
            names = "--mode",
            paramLabel = "write|read",
            description = "write: each side writes its text to the other; read: each side reads the other's "
                    + "(the client's value applies to both sides)."
                    + " Default: write.")
    private ExchangeMode mode;

    @Option(
            names = "--text",
            paramLabel = "TEXT",
            description = "The text for the other side. Default: a text that names this side.")
    private String text;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            converter = ByteCount.class,
            description = "Client: bytes of each buffer, up to 8m; longer texts are truncated. Default: 1k.")
    private Long size;

    @Override
    public Integer call() {
        options.require(!options.isServer() || size == null, "--size is for clients: the server does as they ask");
        long bytes = size == null ? 1024 : size;
        options.require(
                bytes >= 1 && bytes <= ExchangeTerms.LARGEST,
                "Invalid size " + bytes + " (valid range is 1 to " + ExchangeTerms.LARGEST + ")");
        return options.run(() -> {
            if (options.isServer()) {
                ProgramServer.serve(options, PORT, id -> new ExchangeRun(options, text).serve(id, mode));
            } else {
                var terms = new ExchangeTerms(mode == null ? ExchangeMode.WRITE : mode, bytes);
                new ExchangeRun(options, text).connect(terms);
            }
        });
    }
}
