package io.verbena.verbs;

import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.FlushType;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// Work for the send queue: first the operation, then the buffers, then the flags. Made once by
/// [QueuePair#newSendRequest], posted as often as needed and patched in between. A request without an operation is
/// refused. Not safe for several threads at once. Counterpart of `struct ibv_send_wr`.
///
/// ```java
/// SendRequest send = qp.newSendRequest().wrId(1).send().from(mr, 0, 64).signaled();
/// SendRequest read = qp.newSendRequest().wrId(2).read(address, rkey).into(mr, 4096, 1 << 20).signaled();
/// ```
public interface SendRequest {
    /// A number of the caller's that comes back in the completion.
    SendRequest wrId(long wrId);

    /// The caller's number, 0 unless it was set.
    long wrId();

    /// Sends a message into a receive of the peer's.
    SendRequest send();

    /// SEND with immediate data: four bytes beside the message, which the peer's completion shows.
    SendRequest sendWithImmediate(int immediate);

    /// SEND that also revokes a key of the peer's: that of a bound type 2 window of the queue pair it arrives
    /// at, or of one that is revoked already. Any other key fails the peer's receive with
    /// REMOTE_INVALID_REQUEST and ends its queue pair, which no longer answers; so this side sees
    /// RETRY_EXCEEDED.
    SendRequest sendWithInvalidate(int rkey);

    /// RDMA WRITE: writes the local bytes to that address of the peer. Its program gets no completion.
    SendRequest write(long remoteAddress, int rkey);

    /// RDMA WRITE to the start of a peer's buffer.
    default SendRequest write(RemoteBuffer remote) {
        Objects.requireNonNull(remote, "the remote buffer is null");
        return write(remote.address(), remote.rkey());
    }

    /// RDMA WRITE that also uses up a receive of the peer, whose completion shows four bytes of immediate data.
    SendRequest writeWithImmediate(long remoteAddress, int rkey, int immediate);

    /// RDMA WRITE with immediate data to the start of a peer's buffer.
    default SendRequest writeWithImmediate(RemoteBuffer remote, int immediate) {
        Objects.requireNonNull(remote, "the remote buffer is null");
        return writeWithImmediate(remote.address(), remote.rkey(), immediate);
    }

    /// RDMA READ: fetches bytes from that address of the peer's into the local buffers.
    SendRequest read(long remoteAddress, int rkey);

    /// RDMA READ from the start of a peer's buffer.
    default SendRequest read(RemoteBuffer remote) {
        Objects.requireNonNull(remote, "the remote buffer is null");
        return read(remote.address(), remote.rkey());
    }

    /// Replaces the remote 8 bytes by `swap` if they equal `compare`; the old value lands in the local buffer.
    /// Both sides see the word as a `long` in the byte order of their machine. The remote address is a multiple
    /// of 8; the peer's region and its queue pair must both grant REMOTE_ATOMIC.
    SendRequest compareAndSwap(long remoteAddress, int rkey, long compare, long swap);

    /// Compare and swap of the first 8 bytes of a peer's buffer.
    default SendRequest compareAndSwap(RemoteBuffer remote, long compare, long swap) {
        Objects.requireNonNull(remote, "the remote buffer is null");
        return compareAndSwap(remote.address(), remote.rkey(), compare, swap);
    }

    /// Adds to the remote 8 bytes; the old value lands in the local buffer. Rules are those of
    /// [#compareAndSwap].
    SendRequest fetchAndAdd(long remoteAddress, int rkey, long add);

    /// Fetch and add on the first 8 bytes of a peer's buffer.
    default SendRequest fetchAndAdd(RemoteBuffer remote, long add) {
        Objects.requireNonNull(remote, "the remote buffer is null");
        return fetchAndAdd(remote.address(), remote.rkey(), add);
    }

    /// Writes 8 bytes that the peer sees whole or not at all, as they are: no byte order is involved. The
    /// remote address is a multiple of 8; the peer's region and its queue pair must both grant REMOTE_WRITE.
    SendRequest atomicWrite(long remoteAddress, int rkey);

    /// Atomic write of the first 8 bytes of a peer's buffer.
    default SendRequest atomicWrite(RemoteBuffer remote) {
        Objects.requireNonNull(remote, "the remote buffer is null");
        return atomicWrite(remote.address(), remote.rkey());
    }

    /// Completes when earlier writes to the range have come as far as `types` say. Counterpart of `ibv_wr_flush`
    /// with `IBV_FLUSH_RANGE`.
    SendRequest flush(long remoteAddress, int rkey, long length, FlushType... types);

    /// Flush of a peer's buffer, all of it.
    default SendRequest flush(RemoteBuffer remote, FlushType... types) {
        Objects.requireNonNull(remote, "the remote buffer is null");
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

    /// As [#from], for operations that bring data in (READ, atomics); IllegalStateException after an operation that
    /// sends data.
    default SendRequest into(MemoryRegion region, long offset, long length) {
        return from(region, offset, length);
    }

    /// Bytes of any memory, heap or native, registered or not, for an inline request: they are copied while
    /// posting. Makes the request inline.
    SendRequest fromInline(MemorySegment bytes);

    /// As [#from] with a raw address and key, unchecked until the request is executed. Counterpart of `struct ibv_sge`.
    SendRequest fromAddress(long address, long length, int lkey);

    /// As [#and] with a raw address and key.
    SendRequest andAddress(long address, long length, int lkey);

    /// No local bytes: a message of length 0.
    SendRequest empty();

    /// The destination of a datagram. A datagram fits one packet: one that is longer than the MTU of the port completes
    /// with success on software devices, but is dropped, and counted in [Context#counters]. The peer's receive needs 40
    /// bytes more than the datagram has.
    SendRequest to(AddressHandle handle, int qpNumber, int qkey);

    /// Asks for a completion on success too (errors always have one).
    SendRequest signaled(boolean signaled);

    /// Chooses whether success has a completion (errors always have one).
    default SendRequest signaled() {
        return signaled(true);
    }

    /// No completion on success. Signal at least one request in each queue length, see [QueuePair#post(SendRequest)].
    default SendRequest unsignaled() {
        return signaled(false);
    }

    /// Wakes a peer that armed its queue for solicited events only.
    SendRequest solicited(boolean solicited);

    /// Wakes a peer that armed its queue for solicited events only.
    default SendRequest solicited() {
        return solicited(true);
    }

    /// Starts only when all earlier READs and atomics are done.
    SendRequest fenced(boolean fenced);

    /// Starts only when all earlier READs and atomics are done.
    default SendRequest fenced() {
        return fenced(true);
    }

    /// Copies the bytes into the queue while posting, so that the buffer is free again at once.
    SendRequest inline(boolean inline);

    /// Copies the bytes into the queue while posting.
    default SendRequest inline() {
        return inline(true);
    }
}
