package io.verbena.tools.exchange;

import io.verbena.tools.program.ProgramOptions;
import io.verbena.tools.program.ProgramServer;
import io.verbena.tools.text.ByteCount;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The read/write example of RDMA tutorials: both sides tell each other a key, then use it.
@Command(
        name = "exchange",
        sortOptions = false,
        description = {
            "Exchange texts through each other's memory: each side WRITEs into the other's, or READs it.",
            "First both tell where theirs is and which key opens it, at the end both say DONE. Port 20887."
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
    /// The C programs take any that is free; a fixed one is easier to type.
    static final int PORT = 20887;

    @Mixin
    private ProgramOptions options;

    @Option(
            names = "--mode",
            paramLabel = "write|read",
            description = "Who moves the bytes: who has them (write), or who wants them (read). The client's counts."
                    + " Default: write.")
    private ExchangeMode mode;

    @Option(names = "--text", paramLabel = "TEXT", description = "What the other side gets. Default: who sends it.")
    private String text;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            converter = ByteCount.class,
            description = "Client: bytes of each buffer, up to 8m; longer texts are cut. Default: 1k.")
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
