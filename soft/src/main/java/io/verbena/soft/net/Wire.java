package io.verbena.soft.net;

import io.verbena.soft.os.Doorbell;
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
/// Sending is in three steps: [#claim] a frame of [#sendMemory], write it, [#commit] it; [#flush] hands all
/// committed frames to the network in as few system calls as it can.
public interface Wire extends AutoCloseable {
    /// Room for the largest packet: 4096 bytes of payload, all headers, ICRC.
    int FRAME_BYTES = 4096 + 128;

    InetAddress localAddress();

    /// The UDP port that the frame claimed last will carry as its source, which its ICRC covers: after [#identify] for
    /// what that was asked for, else for one that was not.
    int sourcePort();

    /// Largest path MTU that the link carries, in payload bytes.
    int maxPayload();

    /// Bytes of memory that arriving frames may take up before the network drops them, as granted, not as asked
    /// for.
    default int receiveBufferBytes() {
        return 2 * Wires.BUFFER_BYTES;
    }

    /// The memory that frames are claimed from.
    MemorySegment sendMemory();

    /// The same memory as [#sendMemory]; callers restore position 0 and full limit after use.
    ByteBuffer sendBytes();

    /// Offset of a free frame in [#sendMemory], or -1 when all are waiting to leave.
    int claim();

    /// The IPv4 identification that the frame claimed last will carry, which its ICRC covers, when it is committed with
    /// these next. A frame that was not asked for carries 0.
    ///
    /// Frames of one destination that follow each other may leave as one datagram that the system cuts; it numbers
    /// the pieces 0, 1, 2 and so on, or from another start on where it keeps a socket for the destination.
    default int identify(int length, long destinationHigh, long destinationLow, long traffic) {
        return 0;
    }

    /// Queues the frame claimed last for a destination: an address or a multicast group.
    ///
    /// @param traffic as packed by [Traffic]; a wire sets what its platform lets it set
    void commit(int offset, int length, long destinationHigh, long destinationLow, long traffic);

    /// As the other form, with the usual traffic class and hop limit.
    default void commit(int offset, int length, long destinationHigh, long destinationLow) {
        commit(offset, length, destinationHigh, destinationLow, Traffic.DEFAULT);
    }

    /// Hands committed frames to the network; false when some must wait because the network takes no more just now.
    boolean flush();

    /// Hands up to `limit` received frames to the handler without waiting; returns how many. Frames that the system put
    /// together on their way are handed over together, so it may be a few more.
    int receive(FrameHandler handler, int limit);

    /// From now on frames show the traffic class, hop limit and flow label that they arrived with, as far as the
    /// platform tells them. It costs a little for each frame, so only those ask for it who need it.
    default void revealTraffic() {}

    /// Receives what is sent to a multicast group, too, on the interface of the local address. Joining again is
    /// counted. Frames of the wire itself come back, as they do between adapters of one host.
    ///
    /// @throws RdmaException EINVAL when it is no group or not of the local address's kind
    void join(long groupHigh, long groupLow);

    /// Undoes one [#join]; nothing happens when there was none.
    void leave(long groupHigh, long groupLow);

    /// Waits until a frame may be there, [#wakeup] was called (also before), or the time is over.
    void await(long timeoutNs);

    void wakeup();

    /// Whether [#listenTo] works here.
    default boolean canListen() {
        return false;
    }

    /// From now on [#await] returns also when the bell rings, and silences it then. One bell at a time; a bell that is
    /// closed is forgotten. Any thread may call it.
    default void listenTo(Doorbell bell) {
        throw new UnsupportedOperationException(
                "only the Linux wire hears bells; check canListen first, or run without -D" + Wires.KIND_PROPERTY);
    }

    /// Throws when the wire is broken for good, which receiving does not tell from an empty network. Any thread may
    /// call it; a wire that was closed on purpose is not broken.
    default void check() {}

    /// How many datagrams the network refused or lost on the way out, as far as the wire can tell.
    default long sendFailures() {
        return 0;
    }

    @Override
    void close();
}
