package io.verbena.verbs;

/// A receive: the buffers for one incoming message. Made once, posted as often as needed. Counterpart of `struct
/// ibv_recv_wr`.
public interface ReceiveRequest {
    /// A number of the caller's that comes back in the completion.
    ReceiveRequest wrId(long wrId);

    /// The caller's number, 0 unless it was set.
    long wrId();

    /// Where the message goes: this slice alone, in place of what was there before. Throws
    /// IndexOutOfBoundsException when the slice is not within the region, as [#and] does.
    ReceiveRequest into(MemoryRegion region, long offset, long length);

    /// One more slice after the others.
    ReceiveRequest and(MemoryRegion region, long offset, long length);

    /// As [#into] with a raw address and key, unchecked until a message arrives.
    ReceiveRequest intoAddress(long address, long length, int lkey);

    /// As [#and] with a raw address and key.
    ReceiveRequest andAddress(long address, long length, int lkey);

    /// No buffer: takes messages of length 0 and immediate data.
    ReceiveRequest empty();
}
