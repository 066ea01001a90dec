package io.verbena.soft.net;

import io.verbena.soft.shard.SharedAddress;
import io.verbena.verbs.attr.Gid;
import java.lang.foreign.MemorySegment;

/// Receives frames from one socket of a [LinuxWire], in batches when there are many: several datagrams by one call, and
/// several frames as one datagram where the system coalesces them (GRO).
///
/// With GRO each receive call must also read the length of the frames, which makes a poll half as expensive again. So
/// GRO is on only from a burst of frames until many single ones have arrived: programs that exchange single messages do
/// not pay for it. It is turned off when the socket is empty. A train that arrives at that very moment is taken for a
/// single frame and lost, as any frame may be.
final class LinuxReceiver {
    /// Makes the kernel report the true length of a datagram that does not fit.
    private static final int TRUE_LENGTH = 0x20;

    /// This many datagrams in one call are a burst.
    static final int BURST = 8;

    /// Frames without a burst after which GRO is turned off. The number doubles each time that the next burst comes
    /// sooner than after as many frames again.
    static final int QUIET = 1 << 10;

    private static final int LONGEST_QUIET = 1 << 20;

    private final int fd;
    private final SharedAddress sharedAddress;
    private final SocketAddresses addresses;
    private final Gid destination;
    private final ControlData control;
    private final ReceiveBuffers forSingle;
    private ReceiveBuffers buffers;

    /// Null until the first burst.
    private ReceiveBuffers forMany;

    /// Whether to turn GRO on at a burst.
    private boolean mayCoalesce;

    private boolean coalesces;
    private boolean reveals;

    /// Frames since the last burst.
    private int sinceBurst;

    /// After how many such frames GRO is turned off; 0 before the first burst.
    private int quiet;

    /// Polls in a row that found a frame. After two of them, or after one that found several, the next poll receives a
    /// batch. Two, because programs that exchange single messages find one frame and then none.
    private int found;

    /// The most frames in one datagram of the last poll.
    private int framesTogether = 1;

    /// @param destination the only address that the socket receives for
    /// @param sharedAddress null when nobody else can have it
    LinuxReceiver(
            int fd,
            int slots,
            boolean mayCoalesce,
            SocketAddresses addresses,
            Gid destination,
            SharedAddress sharedAddress) {
        this.fd = fd;
        this.sharedAddress = sharedAddress;
        this.mayCoalesce = mayCoalesce;
        this.addresses = addresses;
        this.destination = destination;
        control = new ControlData(addresses);
        forSingle = ReceiveBuffers.single(slots, 0, addresses);
        use(forSingle);
    }

    private void use(ReceiveBuffers newBuffers) {
        buffers = newBuffers;
        buffers.frame.to(destination.high(), destination.low());
    }

    int fd() {
        return fd;
    }

    /// From now on reads the control data with traffic class and hop limit.
    void revealTraffic() {
        reveals = true;
        forMany = null;
        if (coalesces) {
            useForMany();
        } else {
            use(ReceiveBuffers.single(buffers.slots, ControlData.BYTES, addresses));
        }
    }

    private void useForMany() {
        if (forMany == null) {
            forMany = ReceiveBuffers.coalesced(reveals ? ControlData.BYTES : ControlData.FRAMES_BYTES, addresses);
        }
        use(forMany);
    }

    boolean coalesces() {
        return coalesces;
    }

    private void coalesce() {
        coalesces = !mixesShards() && setCoalescing(true);
        mayCoalesce = !coalesces && sharedAddress != null; // later perhaps, when no other process has it open
        if (coalesces) {
            quiet = sinceBurst < quiet ? Math.min(quiet * 2, LONGEST_QUIET) : QUIET;
            sinceBurst = 0;
            useForMany();
        }
    }

    /// Only when the socket was empty a moment ago.
    private void separate() {
        if (mixesShards() || setCoalescing(false)) {
            coalesces = false;
            mayCoalesce = true;
            sinceBurst = 0;
            use(reveals ? ReceiveBuffers.single(forSingle.slots, ControlData.BYTES, addresses) : forSingle);
        }
    }

    /// The system would put frames of different shards together, too, and give all of them to one.
    private boolean mixesShards() {
        return sharedAddress != null && !sharedAddress.mayCoalesce();
    }

    private boolean setCoalescing(boolean on) {
        return sharedAddress == null ? LinuxSocket.coalesce(fd, on) : sharedAddress.coalesce(on);
    }

    /// Frames of one datagram are delivered together, even when they are more than `limit`.
    int receive(FrameHandler handler, int limit) {
        int most = found > 1 ? Math.min(buffers.slots, limit / framesTogether) : 1;
        int received = most > 1 ? receiveMany(handler, most) : receiveOne(handler);
        if (received > 1) {
            found = 2;
        } else {
            found = received == 0 || most > 1 ? 0 : found + 1;
        }
        if (received > 0) {
            onReceived(received);
        } else if (coalesces && (sinceBurst >= quiet && !reveals || mixesShards())) {
            separate();
        }
        return received;
    }

    private void onReceived(int received) {
        if (received >= BURST && mayCoalesce && !mixesShards()) {
            coalesce();
        } else if (coalesces && (received >= BURST || framesTogether > 1)) {
            sinceBurst = 0;
        } else {
            sinceBurst = Math.min(sinceBurst + received, LONGEST_QUIET);
        }
    }

    /// A call for one datagram costs less than one for many, and without room for control data least.
    private int receiveOne(FrameHandler handler) {
        MessageHeaders headers = buffers.headers;
        int length = buffers.controlBytes == 0
                ? LinuxWireCalls.recvfrom(
                        fd, buffers.address, buffers.slotBytes, TRUE_LENGTH, headers.name(0), headers.nameLength(0))
                : LinuxWireCalls.recvmsg(fd, headers.header(0), TRUE_LENGTH);
        if (length < 0) {
            return 0;
        }
        framesTogether = 1;
        return deliver(handler, 0, length);
    }

    private int receiveMany(FrameHandler handler, int limit) {
        MessageHeaders headers = buffers.headers;
        int datagrams = LinuxWireCalls.recvmmsg(fd, headers.header(0), limit, TRUE_LENGTH);
        framesTogether = 1;
        int received = 0;
        for (int slot = 0; slot < datagrams; slot++) {
            received += deliver(handler, slot, headers.transferred(slot));
        }
        return received;
    }

    /// Delivers the frames of a datagram. Returns how many.
    private int deliver(FrameHandler handler, int slot, int length) {
        Frame frame = buffers.frame;
        MemorySegment names = buffers.headers.names();
        long name = buffers.headers.nameAt(slot);
        frame.from(addresses.high(names, name), addresses.low(names, name), addresses.port(names, name));
        int frameLength = buffers.controlBytes == 0 ? 0 : readControl(slot, frame);
        int start = buffers.at(slot);
        if (frameLength <= 0 || frameLength >= length) {
            frame.show(start, Math.min(length, Wire.FRAME_BYTES));
            handler.onFrame(frame);
            return 1;
        }
        int end = Math.min(length, buffers.slotBytes);
        int count = 0;
        for (int at = 0; at < end; at += frameLength) {
            frame.show(start + at, Math.min(Math.min(frameLength, end - at), Wire.FRAME_BYTES));
            handler.onFrame(frame);
            count++;
        }
        framesTogether = Math.max(framesTogether, count);
        return count;
    }

    /// Length of the frames of a datagram, or 0 when it is one.
    private int readControl(int slot, Frame frame) {
        MessageHeaders headers = buffers.headers;
        long told = headers.controlLength(slot);
        // The kernel overwrote the size of the buffer with the bytes used.
        headers.controlLength(slot, buffers.controlBytes);
        if (told == 0 && !reveals) {
            return 0;
        }
        control.read(headers.controls(), headers.controlAt(slot), told);
        if (reveals) {
            frame.traffic(control.traffic());
        }
        return control.frameLength();
    }
}
