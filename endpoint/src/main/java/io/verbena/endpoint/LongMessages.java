package io.verbena.endpoint;

import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.CompletionStatus;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/// Messages that do not fit a receive buffer: the sender announces its memory, and the receiver reads it when the
/// program asks for the message, so that messages nobody asks for take no memory here.
final class LongMessages {
    /// What one RDMA READ may bring.
    static final long MOST_READ_BYTES = 1L << 30;

    /// How much is read before the program asks for it, once it has asked for a message before.
    private static final long MOST_AHEAD_BYTES = 4L << 20;

    /// How many such messages the peer may announce before this side has read one.
    static final int MOST_ANNOUNCED = 4;

    private final ConnectionLink connection;
    private final Sender sender;
    private final Transfers transfers;
    private final LongBuffers buffers;
    private final EndpointOptions options;

    /// READs that wait for room in the send queue. Of the owner of the hub.
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>(1);

    LongMessages(
            ConnectionLink connection,
            Sender sender,
            Transfers transfers,
            LongBuffers buffers,
            EndpointOptions options) {
        this.connection = connection;
        this.sender = sender;
        this.transfers = transfers;
        this.buffers = buffers;
        this.options = options;
    }

    // ---- sending ----

    /// Whether a long answer could be announced now.
    boolean hasRoomForReply() {
        return transfers.hasRoomFor(MessageHeader.REPLY);
    }

    /// Copies the bytes, so that the caller need not wait for the peer.
    ///
    /// @param onRefused what to do when the peer takes no message of this length
    Pending send(int kind, long number, MemorySegment bytes, Consumer<RdmaException> onRefused) {
        connection.loss().requireOpenFor(kind);
        MemoryRegion region = buffers.take(bytes.byteSize());
        MemorySegment.copy(bytes, 0, region.memory(), 0, bytes.byteSize());
        Pending sent = pending(bytes.byteSize()).releasing(failure -> {
            buffers.give(region);
            if (failure instanceof RdmaException refused && refused.errno() == Errno.EMSGSIZE) {
                onRefused.accept(refused);
            }
        });
        announce(kind, number, region, 0, bytes.byteSize(), sent);
        return sent;
    }

    Pending send(int kind, long number, MemoryRegion region, long offset, long length) {
        connection.loss().requireOpenFor(kind);
        Pending sent = pending(length);
        announce(kind, number, region, offset, length, sent);
        return sent;
    }

    private Pending pending(long length) {
        return new Pending(connection, () -> "send a message of " + length + " bytes to " + connection.peer());
    }

    private void announce(int kind, long number, MemoryRegion region, long offset, long length, Pending sent) {
        try {
            long transfer = transfers.add(kind, sent);
            while (transfer == 0) {
                if (!connection.waits().awaitRoomFor(kind, () -> transfers.hasRoomFor(kind), sent)) {
                    sent.finish(null);
                    return;
                }
                transfer = transfers.add(kind, sent);
            }
            boolean announced = false;
            try {
                MemorySegment description = MemorySegment.ofArray(
                        Announcement.encode(transfer, region.address() + offset, length, region.rkey()));
                while (!sender.trySend(
                        kind, MessageHeader.LONG, number, description, 0, MessageHeader.LONG_BYTES, null)) {
                    if (!connection.waits().awaitRoomFor(kind, () -> sender.hasRoomFor(kind), sent)) {
                        sent.finish(null);
                        return;
                    }
                }
                announced = true;
            } finally {
                if (!announced) {
                    transfers.remove(transfer);
                }
            }
            connection.traffic().onSent(length, true);
            connection.progressWhenDue();
        } catch (RuntimeException e) {
            sent.finish(e);
            throw e;
        }
    }

    // ---- receiving, of the owner of the hub ----

    /// Reads a message that was announced, and then those that come next, so that their bytes are on the way while the
    /// program works on this one.
    void fetch(Fetch wanted, Iterable<?> next) {
        if (wanted.begin()) {
            MemoryRegion region = buffer(wanted);
            if (region != null) {
                read(wanted, region, 0);
            }
        }
        fetchAhead(wanted, next);
    }

    /// @param wanted the message that the program waits for, which may be one of `next`
    void fetchAhead(Fetch wanted, Iterable<?> next) {
        long left = Math.min(MOST_AHEAD_BYTES, options.mostMessageBytes());
        for (Object each : next) {
            if (each != wanted && each instanceof Fetch fetch) {
                if (fetch.length() < 0 || fetch.length() > left || !fetch.isBegun() && !begin(fetch)) {
                    return;
                }
                left -= fetch.length();
            }
        }
    }

    private boolean begin(Fetch fetch) {
        try {
            MemoryRegion region = buffers.take(Math.max(1, fetch.length()));
            fetch.begin();
            read(fetch, region, 0);
            return true;
        } catch (RdmaException e) {
            return false; // whoever asks for it gets the reason
        }
    }

    /// Where the message is put; null when there is nothing, and the program was told.
    private MemoryRegion buffer(Fetch wanted) {
        Announcement announcement = wanted.announcement();
        long length = announcement.length();
        if (length < 0 || length > options.mostMessageBytes()) {
            skip(announcement);
            wanted.fetched()
                    .finish(new RdmaException(
                            "receive",
                            Errno.EMSGSIZE,
                            "%s sent a message of %d bytes, and this side accepts %d; raise EndpointOptions.mostMessageBytes"
                                    .formatted(connection.peer(), length, options.mostMessageBytes())));
            return null;
        }
        try {
            return buffers.take(Math.max(1, length));
        } catch (RdmaException e) {
            if (announcement.kind() == MessageHeader.REPLY || connection.hasHandler()) {
                skip(announcement);
            } else {
                wanted.wantAgain();
            }
            wanted.fetched().finish(e);
            return null;
        }
    }

    private void read(Fetch fetch, MemoryRegion region, long from) {
        Announcement announcement = fetch.announcement();
        RuntimeException loss = connection.loss().reason();
        if (loss != null) {
            buffers.give(region);
            fetch.fetched().finish(loss);
            return;
        }
        long length = Math.min(announcement.length() - from, MOST_READ_BYTES);
        boolean posted = sender.tryAccess(
                request -> request.read(announcement.address() + from, announcement.rkey()),
                region,
                from,
                length,
                status -> {
                    if (status != CompletionStatus.SUCCESS) {
                        buffers.give(region);
                        fetch.fetched().onCompleted(status);
                    } else if (from + length < announcement.length()) {
                        read(fetch, region, from + length);
                    } else {
                        onRead(announcement, region, fetch.fetched());
                    }
                });
        if (!posted) {
            waiting.add(() -> read(fetch, region, from));
        }
    }

    private void onRead(Announcement announcement, MemoryRegion region, Pending fetched) {
        sender.control(MessageHeader.DONE, 0, announcement.transfer(), ConnectionLink.NO_BYTES, null);
        connection.traffic().onReceived(announcement.length(), true);
        fetched.onReply(
                new Message(connection, announcement.kind(), announcement.number(), region, announcement.length()));
        connection.arrivals().onRead();
    }

    /// Does not want the message.
    void skip(Announcement announcement) {
        sender.control(
                MessageHeader.DONE, MessageHeader.REFUSED, announcement.transfer(), ConnectionLink.NO_BYTES, null);
        connection.release(announcement.kind(), Slab.NONE, null);
    }

    /// There may be room in the send queue.
    void goOn() {
        for (int count = waiting.size(); count > 0; count--) {
            waiting.poll().run();
        }
    }
}
