package io.verbena.lab.peers;

import io.verbena.lab.peers.Peer.CommandLines;
import io.verbena.lab.peers.Peer.Ready;
import java.util.List;

/// All C programs that are peers. They use the kernel's device `rxe0`; its GID 1 is that of its IPv4 address.
final class PeerList {
    private static final int MESSAGES = 100;

    private PeerList() {}

    /// All peers, in the order in which they are run.
    static List<Peer> all() {
        return List.of(
                rping("", 64, 200),
                rping("", 4096, 200),
                rping("", 65535, 200),
                rping("6", 4096, 50),
                ucmatose(),
                udaddy(),
                mckey(),
                pingpong("rc"),
                pingpong("uc"),
                pingpong("ud"),
                pingpong("srq"),
                perf("send", "lat", 64),
                perf("send", "bw", 65536),
                perf("write", "lat", 64),
                perf("write", "bw", 65536),
                perf("read", "lat", 64),
                perf("read", "bw", 65536),
                perf("atomic", "lat", 8),
                perf("atomic", "bw", 8),
                managedPerf("send", "lat", 64, ""),
                managedPerf("send", "lat", 64, " -c UD"),
                managedPerf("send", "bw", 65536, " -q 2 -b"),
                managedPerf("write", "lat", 64, ""),
                managedPerf("write", "bw", 65536, " -q 4"),
                managedPerf("read", "lat", 64, ""),
                managedPerf("read", "bw", 65536, ""),
                managedPerf("atomic", "lat", 8, ""),
                managedPerf("atomic", "bw", 8, ""),
                perfWithEvents());
    }

    /// One peer of each kind, for a link that loses packets. A lost last packet of a message costs the sender a
    /// timeout, two seconds where a C program connects: so there are few messages. UC and UD are left out, since they
    /// do not retransmit.
    static List<Peer> withLoss() {
        return List.of(
                rping("", 65535, 50, " --ack-timeout 16"),
                ucmatose(),
                pingpong("rc"),
                perf("send", "lat", 64, ""),
                perf("send", "bw", 65536, ""));
    }

    private static Peer rping(String family, int size, int pings) {
        return rping(family, size, pings, "");
    }

    /// The client, and our server, compare every ping byte by byte. The family is empty or 6; the options are for our
    /// client.
    private static Peer rping(String family, int size, int pings, String options) {
        String amount = " -p {port} -V -S %d -C %d".formatted(size, pings);
        String c = "{c" + family + "}";
        String ours = "{ours" + family + "}";
        return new Peer(
                "rping",
                pings + " pings of " + size + " bytes" + (family.isEmpty() ? "" : ", IPv6"),
                Ready.CONNECTION_MANAGER,
                new CommandLines("rping -s -a " + c + amount, "rping -c -I " + c + " -a " + ours + amount),
                new CommandLines(
                        "rping -s -V --timeout 60 -p {port} -a " + ours,
                        "rping -c --timeout 60 -I " + ours + " -a " + c + amount + options));
    }

    private static Peer ucmatose() {
        return new Peer(
                "ucmatose",
                CmPeer.AMOUNT,
                Ready.CONNECTION_MANAGER,
                new CommandLines("ucmatose -b {c} -p {port}", "ucmatose -b {c} -p {port} -s {ours}"),
                new CommandLines("cm ucmatose server {ours} {port}", "cm ucmatose client {ours} {port} {c}"));
    }

    /// The port of udaddy cannot be chosen.
    private static Peer udaddy() {
        return new Peer(
                "udaddy",
                CmPeer.AMOUNT,
                Ready.CONNECTION_MANAGER,
                new CommandLines("udaddy -b {c}", "udaddy -b {c} -s {ours}"),
                new CommandLines("cm udaddy server {ours} 7174", "cm udaddy client {ours} 7174 {c}"));
    }

    /// A group has no port. The sender is the client.
    private static Peer mckey() {
        String group = "239.77.0.5";
        return new Peer(
                "mckey",
                CmPeer.AMOUNT,
                Ready.GROUP,
                new CommandLines("mckey -b {c} -m " + group, "mckey -b {c} -s -m " + group),
                new CommandLines("cm mckey receiver {ours} 0 " + group, "cm mckey sender {ours} 0 " + group));
    }

    private static Peer pingpong(String type) {
        String c = "ibv_%s_pingpong -d rxe0 -g 1 -p {port} -n %d".formatted(type, MESSAGES);
        String ours = "pingpong %s --device {ours} -p {port} -n %d --timeout 60".formatted(type, MESSAGES);
        return new Peer(
                "ibv_" + type + "_pingpong",
                MESSAGES + " messages in each direction",
                Ready.TCP,
                new CommandLines(c, c + " {ours}"),
                new CommandLines(ours + " --once", ours + " {c}"));
    }

    /// The timeout for retransmissions is a second, because a busy emulated processor is slow.
    private static Peer perf(String verb, String kind, int size) {
        return perf(verb, kind, size, " -u 18");
    }

    private static Peer perf(String verb, String kind, int size, String options) {
        return perf(
                verb,
                kind,
                MESSAGES + " messages of " + size + " bytes",
                Ready.TCP,
                " -x 1",
                amount(verb, size) + options);
    }

    /// Connected by the connection manager, which chooses the GID.
    private static Peer managedPerf(String verb, String kind, int size, String options) {
        String what = MESSAGES + " messages of " + size + " bytes, -R" + options;
        return perf(verb, kind, what, Ready.CONNECTION_MANAGER, "", amount(verb, size) + " -u 18 -R" + options);
    }

    /// With -e the C program relies on an acknowledgement before the answer, and sometimes hangs when it comes after
    /// it: so it is run often. It also hung after rxe's own timer (-u) had expired and made rxe retransmit, although
    /// every acknowledgement came first: so the timer, 17 s, is longer than a run.
    private static Peer perfWithEvents() {
        String what = "200 messages of 64 bytes, -e";
        return perf("send", "lat", what, Ready.TCP, " -x 1", " -n 200 -s 64 -u 22 -e")
                .repeated(20);
    }

    private static String amount(String verb, int size) {
        return " -n " + MESSAGES + (verb.equals("atomic") ? "" : " -s " + size);
    }

    /// Both sides need the same options. No warm-up, since the times do not matter.
    private static Peer perf(String verb, String kind, String what, Ready ready, String gid, String options) {
        String program = "ib_" + verb + "_" + kind;
        String c = program + " -d rxe0 -F -p {port}" + gid + options;
        String ours = "perf %s-%s --device {ours} --no-warm-up --timeout 60 -p {port}".formatted(verb, kind) + options;
        return new Peer(
                program,
                what,
                ready,
                new CommandLines(c, c + " {ours}"),
                new CommandLines(ours + " --once", ours + " {c}"));
    }
}
