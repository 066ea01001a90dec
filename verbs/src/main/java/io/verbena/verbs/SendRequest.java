package io.verbena.verbs;

import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.FlushType;
import java.lang.foreign.MemorySegment;

/// Work for the send queue: first the operation, then the buffers, then the flags. Made once by
/// [QueuePair#newSendRequest], posted as often as needed and patched in between. Without an operation it
/// is refused. Not for several threads at once. Counterpart of `struct ibv_send_wr`.
///
/// ```java
/// SendRequest send = qp.newSendRequest().wrId(1).send().from(mr, 0, 64).signaled();
/// SendRequest read = qp.newSendRequest().wrId(2).read(address, rkey).into(mr, 4096, 1 << 20).signaled();
/// ```
public interface SendRequest {
    /// A number of the caller's that comes back in the completion.
    SendRequest wrId(long wrId);

    long wrId();

    /// Sends a message into a receive of the peer's.
    SendRequest send();

    /// SEND that carries four bytes beside the message; the peer's completion shows them.
    SendRequest sendWithImmediate(int immediate);

    /// SEND that also revokes a key of the peer's: that of a bound type 2 window of the queue pair it arrives
    /// at, or of one that is revoked already. Any other key fails the peer's receive with
    /// REMOTE_INVALID_REQUEST and ends its queue pair, which no longer answers; so this side sees
    /// RETRY_EXCEEDED.
    SendRequest sendWithInvalidate(int rkey);

    /// RDMA WRITE: puts the local bytes at that address of the peer's, unseen by its program.
    SendRequest write(long remoteAddress, int rkey);

    default SendRequest write(RemoteBuffer remote) {
        return write(remote.address(), remote.rkey());
    }

    /// RDMA WRITE that also consumes a receive of the peer's and hands it four bytes.
    SendRequest writeWithImmediate(long remoteAddress, int rkey, int immediate);

    default SendRequest writeWithImmediate(RemoteBuffer remote, int immediate) {
        return writeWithImmediate(remote.address(), remote.rkey(), immediate);
    }

    /// RDMA READ: fetches bytes from that address of the peer's into the local buffers.
    SendRequest read(long remoteAddress, int rkey);

    default SendRequest read(RemoteBuffer remote) {
        return read(remote.address(), remote.rkey());
    }

    /// Replaces the remote 8 bytes by `swap` if they equal `compare`; the old value lands in the local buffer.
    /// Both sides see the word as a `long` in the byte order of their machine. The remote address is a multiple
    /// of 8; the peer's region and its queue pair must both grant REMOTE_ATOMIC.
    SendRequest compareAndSwap(long remoteAddress, int rkey, long compare, long swap);

    default SendRequest compareAndSwap(RemoteBuffer remote, long compare, long swap) {
        return compareAndSwap(remote.address(), remote.rkey(), compare, swap);
    }

    /// Adds to the remote 8 bytes; the old value lands in the local buffer. Rules are those of
    /// [#compareAndSwap].
    SendRequest fetchAndAdd(long remoteAddress, int rkey, long add);

    default SendRequest fetchAndAdd(RemoteBuffer remote, long add) {
        return fetchAndAdd(remote.address(), remote.rkey(), add);
    }

    /// Writes 8 bytes that the peer sees whole or not at all, as they are: no byte order is involved. The
    /// remote address is a multiple of 8; the peer's region and its queue pair must both grant REMOTE_WRITE.
    SendRequest atomicWrite(long remoteAddress, int rkey);

    default SendRequest atomicWrite(RemoteBuffer remote) {
        return atomicWrite(remote.address(), remote.rkey());
    }

    /// Completes when earlier writes to the range have come as far as `types` say. Counterpart of `ibv_wr_flush`
    /// with `IBV_FLUSH_RANGE`.
    SendRequest flush(long remoteAddress, int rkey, long length, FlushType... types);

    default SendRequest flush(RemoteBuffer remote, FlushType... types) {
        return flush(remote.address(), remote.rkey(), remote.length(), types);
    }

    /// As [#flush], for all of the region that `rkey` names. Counterpart of `ibv_wr_flush` with `IBV_FLUSH_MR`.
    SendRequest flushRegion(int rkey, FlushType... types);

    /// Revokes a key of this side's: that of a type 2 window, once all earlier requests are complete.
    SendRequest localInvalidate(int rkey);

    /// Binds a type 2 window under `rkey`, whose low 8 bits the caller chooses. The window must be new or revoked, and
    /// is open to the peer of this queue pair only.
    SendRequest bindMemoryWindow(
            MemoryWindow window, int rkey, MemoryRegion region, long address, long length, Access... access);

    /// Changes only where a WRITE, READ or atomic goes.
    SendRequest remote(long remoteAddress, int rkey);

    /// Changes only the immediate value.
    SendRequest immediate(int immediate);

    /// The local bytes: this slice alone, in place of what was there before. Throws IndexOutOfBoundsException when
    /// the slice is not within the region, as the other methods that take a region do.
    SendRequest from(MemoryRegion region, long offset, long length);

    /// One more slice after the others.
    SendRequest and(MemoryRegion region, long offset, long length);

    /// As [#from], the word for operations that bring data in.
    default SendRequest into(MemoryRegion region, long offset, long length) {
        return from(region, offset, length);
    }

    /// Bytes of any memory, heap or native, registered or not, for an inline request: they are copied while
    /// posting. Makes the request inline.
    SendRequest fromInline(MemorySegment bytes);

    /// As [#from] with a raw address and key, unchecked until the request is carried out. Counterpart of `struct
    /// ibv_sge`.
    SendRequest fromAddress(long address, long length, int lkey);

    /// As [#and] with a raw address and key.
    SendRequest andAddress(long address, long length, int lkey);

    /// No local bytes: a message of length 0.
    SendRequest empty();

    /// To whom, on a datagram queue pair. A datagram fits one packet: one that is longer than the MTU of the
    /// port completes with success on software devices, but is dropped, and counted in [Context#counters]. The
    /// peer's receive needs 40 bytes more than the datagram has.
    SendRequest to(AddressHandle handle, int qpNumber, int qkey);

    /// Reports success too (errors always report).
    SendRequest signaled(boolean signaled);

    default SendRequest signaled() {
        return signaled(true);
    }

    /// Success goes unreported. Signal at least one request in each queue length, see
    /// [QueuePair#post(SendRequest)].
    default SendRequest unsignaled() {
        return signaled(false);
    }

    /// Wakes a peer that armed its queue for solicited events only.
    SendRequest solicited(boolean solicited);

    default SendRequest solicited() {
        return solicited(true);
    }

    /// Starts only when all earlier READs and atomics are done.
    SendRequest fenced(boolean fenced);

    default SendRequest fenced() {
        return fenced(true);
    }

    /// Copies the bytes into the queue while posting, so that the buffer is free again at once.
    SendRequest inline(boolean inline);

    default SendRequest inline() {
        return inline(true);
    }
}
