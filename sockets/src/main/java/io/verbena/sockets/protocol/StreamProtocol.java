package io.verbena.sockets.protocol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;

/// One end of a connection: what it may send, what it has received, and what it has to tell the peer. The caller sees
/// to it that one thread at a time is in here, and hands in completions.
public final class StreamProtocol implements AutoCloseable {
    private static final int LIST_ENTRIES = 2;

    /// Requests of at least so many bytes are signaled each.
    private static final int SIGNAL_BYTES = 16 * 1024;

    private static final int REPOST_BATCH = 8;
    private static final int MASK = 0xFFFF;

    private final StreamSettings settings;
    private final RequestPoster poster;
    private final RegisteredMemory first;
    private final SendSlots slots;
    private final ControlWords controls;
    private final SendBuffer sends;
    private final ReceiveBuffer receives;
    private final PeerWindow window;
    private final Maps maps;

    /// A message that came before the connection manager said that the connection is established.
    private record Early(int word, long bytes) {}

    private final ArrayDeque<Early> early = new ArrayDeque<>(0);

    private ConnectionData peer;
    private SendCredits credits;
    private ByteOrder peerOrder;

    private int remoteSlot;
    private long lastSignaled;

    /// Data messages of the peer, modulo 2^16, and how many of them the peer knows to have arrived.
    private int arrived;

    private int returned;
    private int reposts;

    private boolean outputEnded;
    private boolean disconnecting;
    private boolean endPosted;
    private boolean disconnectPosted;
    private int disconnectNumber;
    private boolean disconnectCompleted;
    private boolean inputEnded;
    private boolean peerDisconnected;
    private boolean resetting;
    private boolean peerReset;

    public StreamProtocol(StreamSettings settings, MemorySource memory, RequestPoster poster) {
        this.settings = settings;
        this.poster = poster;
        long mapsOffset = (long) LIST_ENTRIES * TargetEntry.BYTES;
        long controlOffset = ControlWords.align(mapsOffset + (long) settings.maps() * MapEntry.BYTES);
        long receiveOffset = align(controlOffset + ControlWords.BYTES, 64);
        long sendOffset = receiveOffset + 2L * settings.firstReceiveChunk();
        first = memory.allocate(sendOffset + 2L * settings.firstSendChunk());
        slots = new SendSlots(settings.sendRequests());
        controls = new ControlWords(slots, controlOffset);
        receives = new ReceiveBuffer(
                memory, settings.longestReceiveChunk(), first, receiveOffset, settings.firstReceiveChunk());
        sends = new SendBuffer(memory, settings.sendBytes(), first, sendOffset, settings.firstSendChunk());
        window = new PeerWindow(first, 0, LIST_ENTRIES);
        maps = new Maps(first, mapsOffset, settings.maps());
    }

    private static long align(long offset, int to) {
        return (offset + to - 1) / to * to;
    }

    /// What the peer is told in the private data.
    public ConnectionData offer() {
        TargetEntry buffer = receives.firstChunk().entry();
        return new ConnectionData(
                ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN,
                settings.maps() > 0,
                settings.credits(),
                settings.maps(),
                first.address(),
                first.rkey(),
                LIST_ENTRIES,
                buffer.address(),
                buffer.key(),
                buffer.length());
    }

    /// The queue pair is ready to send.
    public void onEstablished(ConnectionData offered) {
        peer = offered;
        peerOrder = offered.bigEndian() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        credits = new SendCredits(offered.credits());
        remoteSlot = 1 % offered.listEntries();
        window.open(offered);
        for (Early message = early.poll(); message != null; message = early.poll()) {
            onMessage(message.word, message.bytes);
        }
        pump();
    }

    // ---- what comes from the peer ----

    /// A receive is complete: the peer wrote `bytes` bytes and this word.
    public void onWord(int word, long bytes) {
        if (++reposts >= REPOST_BATCH) {
            poster.postReceives(reposts);
            reposts = 0;
        }
        if (peer == null) {
            if (early.size() >= settings.receives()) {
                throw new ProtocolException(
                        "the peer sent %d messages before it was connected".formatted(early.size()));
            }
            early.add(new Early(word, bytes));
        } else {
            onMessage(word, bytes);
            pump();
        }
    }

    private void onMessage(int word, long bytes) {
        if (peerDisconnected) {
            return; // whatever follows means nothing
        }
        switch (Word.type(word)) {
            case Word.SGL -> onSgl(word, bytes);
            case Word.IOMAP -> {
                arrived = arrived + 1 & MASK;
                maps.onWritten(Word.value(word) & MASK, bytes);
            }
            case Word.CONTROL -> onControl(word);
            case Word.DATA -> onData(Word.value(word), bytes);
            default -> throw new ProtocolException("the peer sent the word 0x%08x".formatted(word));
        }
    }

    private void onData(int count, long bytes) {
        if (count != bytes) {
            throw new ProtocolException("the peer announced %d bytes and wrote %d".formatted(count, bytes));
        }
        arrived = arrived + 1 & MASK;
        if (count > 0) {
            receives.onArrived(count);
        }
    }

    private void onSgl(int word, long bytes) {
        credits.limit(Word.value(word));
        if (bytes == TargetEntry.BYTES) {
            window.onAnnounced();
        } else if (bytes != 0) {
            throw new ProtocolException("the peer announced a buffer in %d bytes".formatted(bytes));
        }
    }

    private void onControl(int word) {
        if (word == Word.DISCONNECT) {
            inputEnded = true;
            peerDisconnected = true;
        } else if (word == Word.RESET) {
            inputEnded = true;
            peerDisconnected = true;
            peerReset = true;
        } else if (word == Word.SHUTDOWN) {
            inputEnded = true;
            if (endPosted) {
                peerDisconnected = true; // both have ended: nobody sends DISCONNECT
            }
        }
    }

    /// A signaled request is complete, and all before it.
    public void onCompleted(int number) {
        sends.complete(slots.complete(number));
        controls.onCompleted(number);
        if (disconnectPosted && number == disconnectNumber) {
            disconnectCompleted = true;
        }
        pump();
    }

    // ---- what goes to the peer ----

    /// Sends what can be sent now.
    private void pump() {
        if (peer == null || disconnectPosted || peerDisconnected) {
            return;
        }
        if (resetting) {
            sendReset();
            return;
        }
        announce();
        sendMaps();
        sendData();
        sendEnd();
    }

    private void announce() {
        while (receives.hasUnannounced() && controls.hasRoom(1)) {
            long at = controls.nextPlace();
            receives.announce().entry().encode(first.memory(), at, peerOrder);
            int number = controls.take(sends.posted());
            poster.writeWithWord(
                    first,
                    at,
                    TargetEntry.BYTES,
                    peer.listAddress() + (long) remoteSlot * TargetEntry.BYTES,
                    peer.listKey(),
                    limitWord(),
                    number,
                    true);
            remoteSlot = (remoteSlot + 1) % peer.listEntries();
        }
        if ((arrived - returned & MASK) >= settings.credits() / 2 && controls.hasRoom(1)) {
            control(limitWord());
        }
    }

    private int limitWord() {
        returned = arrived;
        return Word.sgl(arrived, settings.credits());
    }

    /// A word alone, and the number of its request. Devices look at neither address nor key.
    private int control(int word) {
        int number = controls.take(sends.posted());
        poster.writeWithWord(first, 0, 0, peer.listAddress(), peer.listKey(), word, number, true);
        return number;
    }

    private boolean maySend() {
        return slots.hasRoomForData() && !credits.isEmpty() && window.left() > 0;
    }

    private void sendMaps() {
        while (maps.hasUnsent() && maySend() && controls.hasRoom(1)) {
            long at = controls.nextPlace();
            int index = maps.encodeNext(first.memory(), at, peerOrder);
            credits.take();
            long remote =
                    peer.listAddress() + (long) peer.listEntries() * TargetEntry.BYTES + (long) index * MapEntry.BYTES;
            poster.writeWithWord(
                    first,
                    at,
                    MapEntry.BYTES,
                    remote,
                    peer.listKey(),
                    Word.iomap(index),
                    controls.take(sends.posted()),
                    true);
        }
    }

    private void sendData() {
        // A peer that reads a byte knows the maps that were added before it was written.
        while (sends.hasUnposted() && !maps.hasUnsent() && maySend()) {
            SendChunk chunk = sends.unposted();
            int bytes = Math.min(Math.min(sends.unpostedIn(chunk), window.left()), Word.MOST_BYTES);
            long offset = chunk.offsetOf(sends.posted());
            long address = window.address();
            int key = window.key();
            window.advance(bytes);
            credits.take();
            boolean endsChunk = sends.post(chunk, bytes);
            // A writer that waits for room must hear of it.
            boolean signaled = endsChunk
                    || slots.mustSignal()
                    || sends.posted() - lastSignaled >= SIGNAL_BYTES
                    || !sends.hasRoom();
            if (signaled) {
                lastSignaled = sends.posted();
            }
            int number = slots.take(sends.posted(), signaled);
            poster.writeWithWord(chunk.memory, offset, bytes, address, key, Word.data(bytes), number, signaled);
        }
    }

    /// Both words or none: the peer takes nothing after the first, and C knows only the second.
    private void sendReset() {
        if (controls.hasRoom(2)) {
            control(Word.RESET);
            sendDisconnect();
        }
    }

    private void sendDisconnect() {
        disconnectNumber = control(Word.DISCONNECT);
        disconnectPosted = true;
    }

    private void sendEnd() {
        boolean both = disconnecting || outputEnded && inputEnded;
        if (!outputEnded && !disconnecting || sends.hasUnposted() || endPosted && !both || !controls.hasRoom(1)) {
            return;
        }
        endPosted = true;
        if (both) {
            sendDisconnect();
        } else {
            control(Word.SHUTDOWN);
        }
    }

    // ---- writing ----

    /// Room for bytes of the stream; null when there is none now.
    ///
    /// @param wanted how many bytes are to be written
    public SendChunk space(int wanted) {
        return sends.chunk(wanted);
    }

    /// The writer has put so many bytes into the chunk.
    public void commit(SendChunk chunk, int bytes) {
        sends.fill(chunk, bytes);
        pump();
    }

    public boolean hasRoom() {
        return sends.hasRoom();
    }

    /// Whether bytes wait for credits or buffers of the peer, or for places in the send queue.
    public boolean hasUnposted() {
        return sends.hasUnposted() || (outputEnded || disconnecting) && !endPosted;
    }

    /// Whether the peer has confirmed all that was written.
    public boolean isSent() {
        return sends.isEmpty();
    }

    // ---- reading ----

    public int readable() {
        return receives.readable();
    }

    /// The memory with the next bytes to read; only when [#readable] is not 0.
    public ByteBuffer readableBytes() {
        return receives.chunk().memory.bytes();
    }

    public int readableOffset() {
        return (int) ReceiveBuffer.readOffset(receives.chunk());
    }

    /// How many bytes follow each other at [#readableOffset].
    public int readableLength() {
        return ReceiveBuffer.readableIn(receives.chunk());
    }

    /// The reader has taken so many of the bytes.
    public void consume(int bytes) {
        receives.consume(bytes);
        if (receives.hasUnannounced()) {
            pump();
        }
    }

    // ---- ending ----

    /// The program writes no more. What it has written is sent before the peer is told.
    public void endOutput() {
        outputEnded = true;
        pump();
    }

    /// The program neither reads nor writes any more. What it has written is sent before the peer is told.
    public void disconnect() {
        disconnecting = true;
        pump();
    }

    /// The program is done, and does not care for what it has written.
    public void reset() {
        resetting = true;
        disconnecting = true;
        pump();
    }

    /// Whether the peer has thrown away what it had, and what is sent to it.
    public boolean isReset() {
        return peerReset;
    }

    /// Whether the peer writes no more.
    public boolean isInputEnded() {
        return inputEnded;
    }

    /// Whether nothing that is written now reaches the peer.
    public boolean isPeerDisconnected() {
        return peerDisconnected;
    }

    /// Whether the peer knows that this side has disconnected.
    public boolean isDisconnectConfirmed() {
        return disconnectCompleted;
    }

    public Maps maps() {
        return maps;
    }

    /// Sends maps that were added.
    public void sendAddedMaps() {
        if (peer == null || !peer.hasMaps()) {
            throw new UnsupportedOperationException("the peer takes no maps");
        }
        pump();
    }

    /// How many maps the peer takes.
    public int peerMaps() {
        return peer == null ? 0 : peer.maps();
    }

    /// Whether an RDMA WRITE to a map of the peer can be posted.
    public boolean mayWriteRemote() {
        return slots.hasRoomForData();
    }

    /// Posts an RDMA WRITE to a map of the peer, and returns its number.
    public int writeRemote(RegisteredMemory from, long offset, int length, long address, int key) {
        int number = slots.take(sends.posted(), true);
        poster.write(from, offset, length, address, key, number, true);
        return number;
    }

    /// Whether that request, and all before it, are complete.
    public boolean isCompleted(int number) {
        return slots.isCompleted(number);
    }

    /// What it waits for, for people.
    @Override
    public String toString() {
        return "%s; %s; %s; %s; %d bytes unconfirmed, of which %d not sent; %d bytes to be read; "
                        .formatted(
                                credits,
                                slots,
                                controls,
                                window,
                                sends.written() - sends.completed(),
                                sends.written() - sends.posted(),
                                receives.readable())
                + "%d messages arrived, %d of them told to the peer, %d receives to be posted again; %s; %s"
                        .formatted(arrived, returned, reposts, maps, ends());
    }

    private String ends() {
        return "output %s, input %s, peer %s"
                .formatted(
                        outputEnded || disconnecting ? endPosted ? "ended" : "ends" : "open",
                        inputEnded ? "ended" : "open",
                        peerDisconnected ? "disconnected" : "connected");
    }

    @Override
    public void close() {
        sends.close();
        receives.close();
        first.close();
    }
}
