package io.verbena.tools.perf;

import java.util.ArrayList;
import java.util.List;

/// The exchanges of key lines over the side channel. perftest also exchanges a line where both sides must wait for each
/// other: then it is a barrier and its content does not matter.
///
/// The exchanges before the first message depend on the test. With N queue pairs, `N` stands for N key lines and `1`
/// for a barrier:
///
/// | test | exchanges |
/// |---|---|
/// | send-lat, send-bw | N, connect, 1, N |
/// | write-lat, read-lat, atomic-lat | 1, N, connect, N, 1 |
/// | write-bw, read-bw, atomic-bw | N, connect, N, 1 |
///
/// With `-R` two more barriers come first. Between them the connection manager connects the queue pairs.
record Handshake(PeerChannel channel, PerfEndpoint endpoint, Wiring wiring) {
    private static final KeyLine NOTHING_YET = new KeyLine(0, 0, 0, 0, 0, 0, null, 0);

    /// Connects the queue pairs, and returns the key lines of the peer's.
    List<KeyLine> connect(PerfTest test) {
        wiring.create(endpoint, this);
        boolean send = test.verb() == PerfTest.Verb.SEND;
        if (!send && test.isLatency()) {
            barrier();
        }
        List<KeyLine> peer = keyLines();
        wiring.connect(endpoint, peer);
        if (send) {
            barrier();
        }
        keyLines();
        if (!send) {
            barrier();
        }
        return peer;
    }

    private List<KeyLine> keyLines() {
        List<KeyLine> peer = new ArrayList<>();
        for (KeyLine line : endpoint.keyLines()) {
            peer.add(exchange(line, false));
        }
        return peer;
    }

    /// Returns when both sides have called it.
    void barrier() {
        exchange(first(), false);
    }

    /// As [#barrier], but waits as long as the peer needs to finish its measurement.
    void barrierAfterRun() {
        exchange(first(), true);
    }

    private KeyLine first() {
        List<KeyLine> own = endpoint.keyLines();
        return own.isEmpty() ? NOTHING_YET : own.getFirst();
    }

    private KeyLine exchange(KeyLine line, boolean afterRun) {
        byte[] mine = wiring.isManaged() ? KeyStruct.bytes(line) : line.bytes();
        String what = "line with its queue pair and key";
        if (channel.isClient()) {
            channel.send(mine);
        }
        byte[] theirs = afterRun
                ? channel.receiveAfterRun(
                        mine.length, what, endpoint.parameters().bidirectional())
                : channel.receive(mine.length, what);
        if (!channel.isClient()) {
            channel.send(mine);
        }
        return wiring.isManaged() ? KeyStruct.parse(theirs) : KeyLine.parse(theirs);
    }
}
