package io.verbena.tools.blast;

import io.verbena.tools.device.PathsSeen;
import io.verbena.tools.program.ProgramOptions;
import io.verbena.tools.program.ProgramServer;
import io.verbena.tools.text.ByteCount;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `blast`: blast-sr-2 of the OFA course on RDMA, in its protocol.
@Command(
        name = "blast",
        sortOptions = false,
        description = {
            "Sends a stream of messages in one direction, with credits and chained requests.",
            "Speaks the protocol of blast-sr-2 of the OFA course. Port 12321."
        },
        footer = {
            "",
            "Examples:",
            "  verbena blast                                       serve every client, until stopped",
            "  verbena blast 127.0.0.1 --stats                     10000 messages of 10000 bytes",
            "  verbena blast 127.0.0.1 -c 500000 -s 100000 -b 4    what the C program does",
            "  verbena blast --verify                              compare every byte that arrives",
            "",
            "The client's --count, --size and --buffers count for both sides: it tells them when it connects.",
            "The first second or two is slow, since Java still compiles; for bandwidth: verbena perf send-bw.",
            "",
            "Exit code 0 when every message arrived (with --verify: right), 1 when not, 2 for wrong usage."
        })
public final class BlastCommand implements Callable<Integer> {
    /// The port of `ping`, too: the programs of the course share it.
    static final int PORT = 12321;

    @Mixin
    private ProgramOptions options;

    @Option(
            names = {"-c", "--count"},
            paramLabel = "COUNT",
            description = "Number of messages (the client's value applies to both sides). Default: ${DEFAULT-VALUE}.")
    private long count = 10_000;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            converter = ByteCount.class,
            description = "Bytes of a message, up to 256m (the client's value applies to both sides)."
                    + " Default: ${DEFAULT-VALUE}.")
    private long size = 10_000;

    @Option(
            names = {"-b", "--buffers"},
            paramLabel = "COUNT",
            description = "Buffers of each side, and so messages in flight, up to 1024 "
                    + "(the client's value applies to both sides)."
                    + " Default: ${DEFAULT-VALUE}.")
    private long buffers = 16;

    @Option(names = "--spin", description = "Poll in a loop instead of sleeping: faster, but keeps a core busy.")
    private boolean spin;

    @Override
    public Integer call() {
        var parameters = new BlastParameters(count, size, buffers);
        String complaint = parameters.complaint();
        options.require(complaint == null, "--" + complaint);
        return options.run(() -> {
            if (options.isServer()) {
                var paths = new PathsSeen();
                ProgramServer.serve(options, PORT, id -> new BlastService(options, spin, paths).serve(id));
            } else {
                new BlastClient(options, parameters, spin).run();
            }
        });
    }
}
