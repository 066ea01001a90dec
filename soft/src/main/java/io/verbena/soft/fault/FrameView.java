package io.verbena.soft.fault;

/// A frame that is about to leave, as a [FrameMatcher] sees it; valid during the call only.
public interface FrameView {
    /// How many frames went before this one on the same wire or link; the first is 0.
    long index();

    /// All bytes, from the base transport header to the ICRC.
    int length();

    /// One byte, 0 to 255; position 0 is the first of the base transport header.
    int byteAt(int position);

    /// The opcode: for example 0x04 for RC SEND only, 0x11 for an RC acknowledgement.
    default int opcode() {
        return byteAt(0);
    }

    /// The number of the queue pair that the frame goes to.
    default int destinationQp() {
        return byteAt(5) << 16 | byteAt(6) << 8 | byteAt(7);
    }

    /// The packet sequence number.
    default int psn() {
        return byteAt(9) << 16 | byteAt(10) << 8 | byteAt(11);
    }
}
