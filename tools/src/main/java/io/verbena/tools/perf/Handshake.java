package io.verbena.tools.perf;

import java.util.ArrayList;
import java.util.List;

/// Key lines over the side channel. perftest exchanges the same line again wherever both sides must have come
/// equally far: then it is a mere barrier.
///
/// Which exchanges there are before the first message differs by test, with N queue pairs (`N` lines each, or 1
/// as a barrier):
///
/// | test | exchanges |
/// |---|---|
/// | send-lat, send-bw | N, connect, 1, N |
/// | write-lat, read-lat, atomic-lat | 1, N, connect, N, 1 |
/// | write-bw, read-bw, atomic-bw | N, connect, N, 1 |
final class Handshake {
    private final PeerChannel channel;
    private final Endpoint endpoint;
    private final List<KeyLine> own;

    Handshake(PeerChannel channel, Endpoint endpoint) {
        this.channel = channel;
        this.endpoint = endpoint;
        this.own = endpoint.keyLines();
    }

    /// Brings the queue pairs up, and returns what the peer told of its own.
    List<KeyLine> connect(PerfTest test) {
        boolean send = test.verb() == PerfTest.Verb.SEND;
        if (!send && test.isLatency()) {
            barrier();
        }
        List<KeyLine> peer = keyLines();
        endpoint.connect(peer);
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
        for (KeyLine line : own) {
            peer.add(exchange(line, false));
        }
        return peer;
    }

    /// Returns when both sides have come here.
    void barrier() {
        exchange(own.getFirst(), false);
    }

    /// As [#barrier], where the peer may still measure: it gets the time it needs.
    void barrierAfterRun() {
        exchange(own.getFirst(), true);
    }

    private KeyLine exchange(KeyLine line, boolean patiently) {
        byte[] mine = line.bytes();
        String what = "key line";
        if (channel.isClient()) {
            channel.send(mine);
        }
        byte[] theirs = patiently ? receiveAfterRun(mine.length, what) : channel.receive(mine.length, what);
        if (!channel.isClient()) {
            channel.send(mine);
        }
        return KeyLine.parse(theirs);
    }

    /// A client knows that the server, unless that sends, too, has nothing more to do.
    private byte[] receiveAfterRun(int length, String what) {
        return channel.isClient() && !endpoint.parameters().bidirectional()
                ? channel.receiveAfterRun(length, what)
                : channel.receivePatiently(length, what);
    }
}
