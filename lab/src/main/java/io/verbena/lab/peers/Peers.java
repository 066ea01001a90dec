package io.verbena.lab.peers;

import io.verbena.lab.peers.Peer.Ready;
import io.verbena.lab.peers.Peer.Side;
import java.util.List;

/// Every C program we talk with. The kernel's device `rxe0` is the C programs'; its GID 1 is that of its IPv4 address.
final class Peers {
    private static final int MESSAGES = 100;

    private Peers() {}

    /// All of them, in the order in which they are run.
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
                perf("atomic", "bw", 8));
    }

    /// One of each kind, for a link that loses packets. What is lost at the end of a message costs the sender
    /// a timeout, two seconds where a C program connects: few messages. No UC and UD: what they lose stays lost.
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

    /// Every ping is compared byte by byte by the client, and by our server. The family is empty or 6, the options
    /// are for our client.
    private static Peer rping(String family, int size, int pings, String options) {
        String amount = " -p {port} -V -S %d -C %d".formatted(size, pings);
        String c = "{c" + family + "}";
        String ours = "{ours" + family + "}";
        return new Peer(
                "rping",
                pings + " pings of " + size + " bytes" + (family.isEmpty() ? "" : ", IPv6"),
                Ready.CONNECTION_MANAGER,
                new Side("rping -s -a " + c + amount, "rping -c -I " + c + " -a " + ours + amount),
                new Side(
                        "rping -s -V --timeout 60 -p {port} -a " + ours,
                        "rping -c --timeout 60 -I " + ours + " -a " + c + amount + options));
    }

    private static Peer ucmatose() {
        return new Peer(
                "ucmatose",
                CmPeer.AMOUNT,
                Ready.CONNECTION_MANAGER,
                new Side("ucmatose -b {c} -p {port}", "ucmatose -b {c} -p {port} -s {ours}"),
                new Side("cm ucmatose server {ours} {port}", "cm ucmatose client {ours} {port} {c}"));
    }

    /// Its port cannot be chosen.
    private static Peer udaddy() {
        return new Peer(
                "udaddy",
                CmPeer.AMOUNT,
                Ready.CONNECTION_MANAGER,
                new Side("udaddy -b {c}", "udaddy -b {c} -s {ours}"),
                new Side("cm udaddy server {ours} 7174", "cm udaddy client {ours} 7174 {c}"));
    }

    /// A group has no port. The sender is the client.
    private static Peer mckey() {
        String group = "239.77.0.5";
        return new Peer(
                "mckey",
                CmPeer.AMOUNT,
                Ready.GROUP,
                new Side("mckey -b {c} -m " + group, "mckey -b {c} -s -m " + group),
                new Side("cm mckey receiver {ours} 0 " + group, "cm mckey sender {ours} 0 " + group));
    }

    private static Peer pingpong(String type) {
        String c = "ibv_%s_pingpong -d rxe0 -g 1 -p {port} -n %d".formatted(type, MESSAGES);
        String ours = "pingpong %s --device {ours} -p {port} -n %d --timeout 60".formatted(type, MESSAGES);
        return new Peer(
                "ibv_" + type + "_pingpong",
                MESSAGES + " messages each way",
                Ready.TCP,
                new Side(c, c + " {ours}"),
                new Side(ours + " --once", ours + " {c}"));
    }

    /// With a second until what is not answered is sent again: an emulated processor that is busy takes its time.
    private static Peer perf(String verb, String kind, int size) {
        return perf(verb, kind, size, " -u 18");
    }

    /// Both sides must be given the same options. No warm-up: nobody looks at the times.
    private static Peer perf(String verb, String kind, int size, String options) {
        String program = "ib_" + verb + "_" + kind;
        String amount = "-p {port} -n " + MESSAGES + (verb.equals("atomic") ? "" : " -s " + size) + options;
        String c = program + " -d rxe0 -x 1 -F " + amount;
        String ours = "perf %s-%s --device {ours} --no-warm-up --timeout 60 ".formatted(verb, kind) + amount;
        return new Peer(
                program,
                MESSAGES + " messages of " + size + " bytes",
                Ready.TCP,
                new Side(c, c + " {ours}"),
                new Side(ours + " --once", ours + " {c}"));
    }
}
