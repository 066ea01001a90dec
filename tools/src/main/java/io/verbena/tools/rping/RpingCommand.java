package io.verbena.tools.rping;

import io.verbena.tools.program.ProgramServer;
import io.verbena.tools.program.Usage;
import io.verbena.verbs.cm.ConnectionId;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `rping` of librdmacm: the same flags, the same messages on the wire, the same lines. Either side may be the C
/// program.
///
/// Differences: a server takes pings of every size whatever its own `-S`; a wait for a silent peer ends after a
/// timeout; a server with `-V` also verifies what it READs.
@Command(
        name = "rping",
        sortOptions = false,
        description = {
            "RDMA ping: the client advertises a buffer, the server READs it and WRITEs it back.",
            "Works with the rping of rdma-core, as client and as server."
        },
        footer = {
            "",
            "Examples:",
            "  verbena rping -s -v                             serve one client, show what it sends",
            "  verbena rping -c -a 127.0.0.1 -v -V -C 10       ten pings to it, each compared byte by byte",
            "  verbena rping -s -P                             serve every client, until stopped",
            "  verbena rping -c -a 10.0.0.2 -S 65535 -C 1000 -V --device 10.0.0.1",
            "",
            "Exit code 0 only when every ping was answered (and, with -V, right)."
        })
public final class RpingCommand implements Callable<Integer> {
    static final String START_SERVER = "verbena rping -s";

    static final int USUAL_PORT = 7174;

    @Mixin
    private RpingOptions options;

    @Override
    public Integer call() {
        options.check();
        var output = new RpingOutput(options);
        boolean ended = Usage.runUntilStopped(
                options.server ? () -> serve(output) : () -> new RpingClient(options, output).run());
        if (!ended) {
            output.debug("stopped"); // by Ctrl-C, the usual end of a server and of pings without a count
        }
        return 0;
    }

    private void serve(RpingOutput output) {
        try (ConnectionId listener = options.newId()) {
            ProgramServer.listen(listener, options.address());
            output.debug("rdma_bind_addr successful");
            ProgramServer.serve(
                    listener,
                    !options.persistent,
                    output,
                    () -> ProgramServer.nextClient(listener).event(),
                    client -> new RpingService(options, output).serve(client.id()));
        }
    }
}
