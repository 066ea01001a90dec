package io.verbena.tools.pingpong;

import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.SideChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The exchange of the addresses of both sides' queue pairs:
///
/// ```
/// client                                  server
///   addresses of its queue pairs    →       moves its queue pairs to RTR and RTS: it can receive from now on
///                                   ←     addresses of its queue pairs
///   "done"                          →
///   moves its queue pairs to RTR and RTS, and sends
/// ```
///
/// One address is sent; with a shared receive queue always 256, the unused ones as zeros.
record AddressExchange(SideChannel channel, PingPongKind kind) {
    private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);

    void send(List<Destination> mine) {
        for (int i = 0; i < kind.lines(); i++) {
            Destination destination = i < mine.size() ? mine.get(i) : Destination.NONE;
            channel.write(destination.line(), "address of a queue pair"); // a C program reads it with one call
        }
    }

    /// Receives the addresses of the peer's queue pairs, which must be `expected`.
    List<Destination> receive(int expected) {
        List<Destination> theirs = new ArrayList<>();
        for (int i = 0; i < kind.lines(); i++) {
            String which = kind.lines() == 1 ? "" : " " + (i + 1) + " of " + kind.lines();
            Destination destination =
                    Destination.parse(channel.read(Destination.BYTES, "address of a queue pair" + which));
            if (destination.qpNumber() != 0) {
                theirs.add(destination);
            }
        }
        if (theirs.size() != expected) {
            throw new ProgramException("the peer has " + theirs.size() + " queue pairs, this side " + expected
                    + (kind == PingPongKind.SRQ ? "; give both the same -q" : ""));
        }
        return theirs;
    }

    void sendDone() {
        channel.write(DONE, "'done'");
    }

    void awaitDone() {
        byte[] word = channel.read(DONE.length, "'done'");
        if (!Arrays.equals(word, DONE)) {
            throw new ProgramException("the peer sent " + SideChannel.quote(word) + " where 'done' should be: "
                    + "it is another program, or another kind of pingpong than " + kind.text());
        }
    }
}
