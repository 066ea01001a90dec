package io.verbena.soft.net;

import io.verbena.soft.option.SoftProperties;
import io.verbena.soft.os.Bell;
import io.verbena.soft.shard.SharedAddress;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/// A device's connection to the network: carries RoCEv2 transport packets ("frames": BTH to ICRC) between IP
/// addresses.
///
/// Addresses are two longs in GID form, so that IPv4 and IPv6 look alike and nothing is allocated. All methods are
/// called by the thread that owns the engine, except [#await], which one sleeping thread calls without owning it,
/// and [#wakeup] and [#close], which any thread may call.
///
/// Sending is in three steps: [#claim] a frame of [#sendMemory], write it, [#commit] it. [#flush] sends all committed
/// frames in as few system calls as possible.
public interface Wire extends AutoCloseable {
    /// Room for the largest packet: 4096 bytes of payload, all headers, ICRC.
    int FRAME_BYTES = 4096 + 128;

    InetAddress localAddress();

    /// Largest path MTU that the link carries, in payload bytes.
    int maxPayload();

    /// Bytes of memory that received frames may occupy before the system drops further ones: the granted size, not the
    /// requested one.
    default int receiveBufferBytes() {
        return 2 * Wires.BUFFER_BYTES;
    }

    /// The memory that frames are claimed from.
    MemorySegment sendMemory();

    /// The same memory as [#sendMemory]; callers restore position 0 and full limit after use.
    ByteBuffer sendBytes();

    /// Offset of a free frame in [#sendMemory], or -1 when none is free.
    int claim();

    /// The IPv4 identification of the frame claimed last, if it is committed next with these values. The ICRC covers
    /// it. Without this call the identification is 0.
    ///
    /// Consecutive frames to one destination may be sent as one datagram that the system splits. It gives the frames
    /// the identifications 0, 1, 2 and so on.
    default int identify(int length, long destinationHigh, long destinationLow, long traffic) {
        return 0;
    }

    /// Queues the frame claimed last for a destination: an address or a multicast group.
    ///
    /// @param traffic as packed by [Traffic]; a wire sets what its platform lets it set
    void commit(int offset, int length, long destinationHigh, long destinationLow, long traffic);

    /// Sends committed frames. False when some must wait because the socket is full.
    boolean flush();

    /// Gives up to `limit` received frames to the handler without waiting, and returns how many. They may be a few
    /// more, because frames that the system coalesced are delivered together.
    int receive(FrameHandler handler, int limit);

    /// From now on frames show the traffic class, hop limit and flow label that they arrived with, as far as the
    /// platform tells them. It costs a little for each frame, so it is off by default.
    default void revealTraffic() {}

    /// Joins a multicast group on the interface of the local address. Joining again is counted. The wire receives its
    /// own frames to the group, too, as between adapters of one host.
    ///
    /// @throws RdmaException EINVAL when the address is no group, or IPv4 and IPv6 are mixed
    void join(long groupHigh, long groupLow);

    /// Undoes one [#join]; nothing happens when there was none.
    void leave(long groupHigh, long groupLow);

    /// Waits until a frame may have arrived, [#wakeup] was called (even before), or the time is over.
    void await(long timeoutNs);

    void wakeup();

    /// Whether [#listenTo] works here.
    default boolean canListen() {
        return false;
    }

    /// From now on [#await] also returns when the bell rings, and silences it. One bell at a time; a closed bell is
    /// ignored. Any thread may call this.
    default void listenTo(Bell bell) {
        throw new UnsupportedOperationException(
                "only the Linux wire hears bells; check canListen first, or run without -D" + SoftProperties.SOCKET);
    }

    /// From now on [#await] also returns when the maker of this bell has closed it or ended, and runs the task; once
    /// for each bell, and not after the bell was closed here. False where the wire cannot do that. By the owner.
    ///
    /// @param onBroken for this bell, and from now on for those before
    default boolean watch(Bell bell, Runnable onBroken) {
        return false;
    }

    /// Throws when the wire is permanently broken, which [#receive] does not report. Any thread may call this; a closed
    /// wire is not broken.
    default void check() {}

    /// The address as this process shares it with others; null when it has the address alone.
    default SharedAddress sharedAddress() {
        return null;
    }

    /// How many datagrams could not be sent, as far as the wire knows.
    default long sendFailures() {
        return 0;
    }

    @Override
    void close();
}
