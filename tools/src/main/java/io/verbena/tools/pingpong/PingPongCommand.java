package io.verbena.tools.pingpong;

import io.verbena.tools.program.Usage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `ibv_rc_pingpong`, `ibv_uc_pingpong`, `ibv_ud_pingpong` and `ibv_srq_pingpong` of rdma-core: the same flags,
/// the same bytes on both wires, the same lines. Either side may be the C program.
///
/// Differences: a server serves every client until stopped, the device and its GID are those of the address in use, a
/// wait for a silent peer ends after a timeout, and data is verified when asked for.
@Command(
        name = "pingpong",
        description = {
            "Ping-pong between queue pairs that are connected by hand, over a TCP side channel.",
            "Works with the ibv_*_pingpong programs of rdma-core, as client and as server. Port 18515."
        },
        synopsisSubcommandLabel = "rc|uc|ud|srq",
        subcommands = {
            PingPongCommand.Rc.class,
            PingPongCommand.Uc.class,
            PingPongCommand.Ud.class,
            PingPongCommand.Srq.class
        },
        footer = {
            "",
            "Examples:",
            "  verbena pingpong rc                    in one shell",
            "  verbena pingpong rc 127.0.0.1          in another",
            "  verbena pingpong srq --help            the options of one of them",
            "",
            "Exit code 0 only when all messages came and, with --verify, were right."
        })
public final class PingPongCommand implements Runnable {
    @Mixin
    private Usage usage;

    @Override
    public void run() {
        throw usage.wrong("say which kind: pingpong rc, uc, ud or srq");
    }

    @Command(name = "rc", description = "Ping-pong on a reliable connection. Peer of ibv_rc_pingpong.")
    static final class Rc extends PingPongKindCommand {}

    @Command(
            name = "uc",
            description =
                    "Ping-pong on an unreliable connection: a lost message ends the run. Peer of ibv_uc_pingpong.")
    static final class Uc extends PingPongKindCommand {}

    @Command(
            name = "ud",
            description = "Ping-pong with datagrams: a lost message ends the run. Peer of ibv_ud_pingpong.")
    static final class Ud extends PingPongKindCommand {}

    @Command(
            name = "srq",
            description =
                    "Ping-pong on many reliable connections with one shared receive queue. Peer of ibv_srq_pingpong.")
    static final class Srq extends PingPongKindCommand {}
}
