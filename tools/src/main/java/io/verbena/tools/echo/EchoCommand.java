package io.verbena.tools.echo;

import io.verbena.tools.device.PathOption;
import io.verbena.tools.program.Output;
import io.verbena.tools.program.PeerTimeout;
import io.verbena.tools.program.ResultOption;
import io.verbena.tools.program.Usage;
import io.verbena.tools.text.ByteCount;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `echo`: what an existing program gains when its sockets use RDMA.
@Command(
        name = "echo",
        sortOptions = false,
        description = {
            "Compares a program with socket channels and selectors over TCP and over RDMA.",
            "The source is the same; only the selector provider differs. Port 7007."
        },
        footer = {
            "",
            "Examples:",
            "  verbena echo                       a server process and a client, over TCP and RDMA in turns",
            "  verbena echo -s 64k -c 2000        longer messages",
            "  verbena echo --path udp            packets in place of shared memory",
            "  verbena echo --serve               serve every client at all addresses, until stopped",
            "  verbena echo 192.0.2.7             compare with the server on that host",
            "",
            "Your own program, unchanged: java -javaagent:verbena-sockets.jar -jar program.jar",
            "",
            "Exit code 0 when every message came back right, 1 when not, 2 for wrong usage.",
        })
public final class EchoCommand implements Callable<Integer> {
    static final int PORT = 7007;
    private static final long MOST_BYTES = 16 << 20;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "HOST",
            description = "The host of the server; with --serve the address to serve at."
                    + " Without HOST: a server process of its own.")
    private String host;

    @Option(names = "--serve", description = "Be the server, over TCP and over RDMA.")
    private boolean serve;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            description = "The server's port. Default: ${DEFAULT-VALUE}.")
    private int port = PORT;

    @Option(
            names = {"-c", "--count"},
            paramLabel = "COUNT",
            description = "Round trips of a round. Default: ${DEFAULT-VALUE}.")
    private long count = 10_000;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            converter = ByteCount.class,
            description = "Bytes of a message, 4 to 16m. Default: ${DEFAULT-VALUE}.")
    private long size = 64;

    @Option(names = "--rounds", paramLabel = "N", description = "Rounds over each. Default: ${DEFAULT-VALUE}.")
    private int rounds = 5;

    @Mixin
    private PathOption path;

    @Mixin
    private PeerTimeout timeout;

    @Mixin
    private ResultOption result;

    @Mixin
    private Usage usage;

    @Override
    public Integer call() {
        timeout.check(usage);
        usage.requirePort(port, serve);
        usage.require(count > 0 && rounds > 0, "--count and --rounds must be 1 or more");
        usage.require(size >= Integer.BYTES && size <= MOST_BYTES, "--size must be 4 to 16m");
        path.use();
        Output output = result.output("echo", usage);
        Usage.runUntilStopped(() -> run(output));
        return 0;
    }

    private void run(Output output) {
        if (serve) {
            EchoService.serve(usage.resolve("", host == null ? "0.0.0.0" : host), port, output);
            return;
        }
        EchoComparison comparison = new EchoComparison((int) size, count, rounds, timeout.step());
        if (host != null) {
            comparison.run(new InetSocketAddress(usage.resolve("", host), port), output);
            return;
        }
        try (EchoProcess server = new EchoProcess(InetAddress.ofLiteral("127.0.0.1"), path.value())) {
            comparison.run(server.address(), output);
        }
    }
}
