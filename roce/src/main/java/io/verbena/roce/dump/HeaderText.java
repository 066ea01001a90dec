package io.verbena.roce.dump;

import io.verbena.roce.header.Aeth;
import io.verbena.roce.header.AtomicAckEth;
import io.verbena.roce.header.AtomicEth;
import io.verbena.roce.header.Bth;
import io.verbena.roce.header.Deth;
import io.verbena.roce.header.Feth;
import io.verbena.roce.header.Ieth;
import io.verbena.roce.header.ImmDt;
import io.verbena.roce.header.Reth;
import io.verbena.roce.header.XrcEth;
import io.verbena.roce.packet.Header;
import io.verbena.roce.packet.Syndrome;
import java.lang.foreign.MemorySegment;

/// The fields of each header as `name=value` words.
final class HeaderText {
    private HeaderText() {}

    static String of(Header header, MemorySegment p, long at) {
        return switch (header) {
            case BTH -> bth(p, at);
            case XRCETH -> "srq=0x%06x".formatted(XrcEth.sharedReceiveQueue(p, at));
            case DETH -> "qkey=0x%x srcqp=0x%06x".formatted(Deth.qkey(p, at), Deth.sourceQp(p, at));
            case FETH -> "placement=%d selectivity=%d".formatted(Feth.placementType(p, at), Feth.selectivity(p, at));
            case RETH ->
                "va=0x%x rkey=0x%x len=%d"
                        .formatted(Reth.virtualAddress(p, at), Reth.rkey(p, at), Reth.lengthUnsigned(p, at));
            case ATOMICETH ->
                "va=0x%x rkey=0x%x swapadd=0x%x compare=0x%x"
                        .formatted(
                                AtomicEth.virtualAddress(p, at),
                                AtomicEth.rkey(p, at),
                                AtomicEth.swapOrAdd(p, at),
                                AtomicEth.compare(p, at));
            case AETH -> "syndrome=%s msn=%d".formatted(Syndrome.text(Aeth.syndrome(p, at)), Aeth.msn(p, at));
            case ATOMICACKETH -> "original=0x%x".formatted(AtomicAckEth.original(p, at));
            case IMMDT -> "imm=0x%08x".formatted(ImmDt.immediate(p, at));
            case IETH -> "invalidate=0x%x".formatted(Ieth.rkey(p, at));
        };
    }

    private static String bth(MemorySegment p, long at) {
        StringBuilder text = new StringBuilder("qp=0x%06x psn=%d".formatted(Bth.destinationQp(p, at), Bth.psn(p, at)));
        word(text, Bth.ackRequested(p, at), "ack");
        word(text, Bth.solicited(p, at), "solicited");
        word(text, Bth.fecn(p, at), "fecn");
        word(text, Bth.becn(p, at), "becn");
        return text.toString();
    }

    private static void word(StringBuilder text, boolean present, String word) {
        if (present) {
            text.append(' ').append(word);
        }
    }
}
