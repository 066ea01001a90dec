package io.verbena.roce.packet;

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

/// The transport headers, declared in the order in which they follow each other in a packet.
public enum Header {
    BTH(Bth.BYTES),
    XRCETH(XrcEth.BYTES),
    DETH(Deth.BYTES),
    FETH(Feth.BYTES),
    RETH(Reth.BYTES),
    ATOMICETH(AtomicEth.BYTES),
    AETH(Aeth.BYTES),
    ATOMICACKETH(AtomicAckEth.BYTES),
    IMMDT(ImmDt.BYTES),
    IETH(Ieth.BYTES);

    private final int bytes;

    Header(int bytes) {
        this.bytes = bytes;
    }

    /// How many bytes the header has.
    public int bytes() {
        return bytes;
    }
}
