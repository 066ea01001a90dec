package io.verbena.tools.copy;

import io.verbena.tools.program.MemoryBudget;
import io.verbena.tools.program.ProgramOptions;
import io.verbena.tools.program.ProgramServer;
import io.verbena.tools.text.ByteCount;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Copies a text or a file into the memory of a server, as the programs of rdma-example do, in their
/// protocol.
@Command(
        name = "copy",
        sortOptions = false,
        description = {
            "Copies into a server's memory: both sides advertise buffers, then RDMA WRITE, RDMA READ back,"
                    + " and compare.",
            "Speaks the protocol of rdma_server and rdma_client of rdma-example. Port 20886."
        },
        footer = {
            "",
            "Examples:",
            "  verbena copy                                    serve, show what arrives",
            "  verbena copy 127.0.0.1                          copy a text there",
            "  verbena copy 10.0.0.2 'Hello, remote memory'    copy your own text",
            "  verbena copy --once --out photo.jpg             save what the next client copies",
            "  verbena copy 10.0.0.2 --file photo.jpg --stats  copy a file, show how fast it was",
            "",
            "The client always compares what it reads back. The server can tell only with --verify (or --out)",
            "whether all has arrived: it then READs the client's buffer first and compares at the end.",
            "Exit code 0 only when the copy is right."
        })
public final class CopyCommand implements Callable<Integer> {
    static final int PORT = 20886;
    private static final String USUAL_TEXT = "Hello from verbena copy: these bytes were put here by RDMA WRITE";

    @Mixin
    private ProgramOptions options;

    @Parameters(index = "1", arity = "0..1", paramLabel = "TEXT", description = "Client: the text to copy.")
    private String text;

    @Option(names = "--file", paramLabel = "FILE", description = "Client: copy the bytes of this file.")
    private Path file;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Server: save complete data to FILE; that of the second client goes to FILE.2, and so on.")
    private Path out;

    @Option(names = "--force", description = "Server: let --out overwrite files.")
    private boolean force;

    @Option(
            names = "--max",
            paramLabel = "BYTES",
            converter = ByteCount.class,
            description = "Server: most memory for all clients together. Default: 1g.")
    private long max = 1L << 30;

    @Override
    public Integer call() {
        check();
        return options.run(() -> {
            if (options.isServer()) {
                var budget = new MemoryBudget(max, "--max", "--max sets how much memory clients may take");
                OutFile saved = out == null ? null : new OutFile(out, force).requireUsable();
                ProgramServer.serve(options, PORT, id -> new CopyService(options, budget, saved).serve(id));
            } else {
                CopyClient.run(
                        options,
                        file != null ? CopyPayload.ofFile(file) : CopyPayload.ofText(text == null ? USUAL_TEXT : text));
            }
        });
    }

    private void check() {
        options.require(options.isServer() || out == null, "--out is for servers: a client names its file with --file");
        options.require(!options.isServer() || file == null, "--file is for clients: name the server's HOST, too");
        options.require(text == null || file == null, "a TEXT or a --file, not both");
        options.require(text == null || !text.isEmpty(), "the TEXT is empty: there is nothing to copy");
        options.require(out != null || !force, "--force is for --out");
        options.require(max > 0, "--max must be 1 or more bytes");
    }
}
