package io.verbena.tools.perf;

import io.verbena.tools.program.ProgramException;
import io.verbena.verbs.attr.Mtu;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// The values that both sides agree on before they make their buffers: the page size and the cache line size, the
/// larger of both sides' each, and the MTU, the smaller of both.
record Preamble(int cycle, int cacheLine, Mtu mtu) {
    /// The largest page of any kernel. Each queue pair needs a page, so the peer may not choose just any size.
    static final int LARGEST_PAGE = 1 << 16;

    static Preamble exchange(PeerChannel channel, int ownMtu) {
        int cycle = larger(channel, BufferLayout.PAGE, "page size");
        int cacheLine = larger(channel, BufferLayout.CACHE_LINE, "cache line size");
        if (cacheLine > cycle) {
            throw new ProgramException("the peer has cache lines of " + cacheLine + " bytes and pages of " + cycle);
        }
        return new Preamble(cycle, cacheLine, mtu(channel, Mtu.largestWithin(ownMtu)));
    }

    private static int larger(PeerChannel channel, int own, String what) {
        byte[] theirs = channel.exchange(ByteBuffer.allocate(4).putInt(own).array(), 4, what);
        int value = ByteBuffer.wrap(theirs).getInt();
        if (value < 1 || value > LARGEST_PAGE || Integer.bitCount(value) != 1) {
            throw new ProgramException("the peer's " + what + " is " + value + ", which no machine has; does it speak"
                    + " perftest " + Greeting.VERSION + "?");
        }
        return Math.max(own, value);
    }

    /// Exchanges the number of `enum ibv_mtu` as a digit.
    private static Mtu mtu(PeerChannel channel, Mtu own) {
        byte[] digit = String.valueOf(own.code()).concat("\0").getBytes(StandardCharsets.US_ASCII);
        byte[] theirs = channel.exchange(digit, digit.length, "MTU");
        int code = theirs[0] - '0';
        if (code < Mtu.MTU_256.code() || code > Mtu.MTU_4096.code()) {
            throw new ProgramException("the peer's MTU is number " + code + ", not 1 to 5");
        }
        return Mtu.min(own, Mtu.ofCode(code));
    }
}
