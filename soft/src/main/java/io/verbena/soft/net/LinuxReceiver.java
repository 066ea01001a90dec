package io.verbena.soft.net;

import io.verbena.verbs.attr.Gid;
import java.lang.foreign.MemorySegment;

/// Takes frames out of one socket of a [LinuxWire], many at a time when there are many: by one call that takes several
/// datagrams, and, where the system puts frames that arrived together into one buffer, several frames as one datagram.
///
/// A socket that may get datagrams of several frames must be asked where these begin, each time, which makes a
/// poll half as dear again. So it gets them only from a burst of frames on, until many single ones have come:
/// programs that exchange single messages do not pay for it. The way back is taken when the socket is empty. A train
/// that arrives in that very moment is not told from a single frame any more and is lost, as any frame may be.
final class LinuxReceiver {
    /// Makes the kernel report the true length of a datagram that does not fit.
    private static final int TRUE_LENGTH = 0x20;

    /// Datagrams taken by one call that make a burst.
    static final int BURST = 8;

    /// Frames without a burst after which no more are expected. Each time that the next one comes sooner than after as
    /// many again, it takes twice as many.
    static final int QUIET = 1 << 10;

    private static final int LONGEST_QUIET = 1 << 20;

    private final int fd;
    private final SocketAddresses addresses;
    private final Gid destination;
    private final ControlData control;
    private final ReceiveBuffers forSingle;
    private ReceiveBuffers buffers;

    /// Null until a first burst comes.
    private ReceiveBuffers forMany;

    /// Whether to let the system put frames together when a burst comes.
    private boolean mayCoalesce;

    private boolean coalesces;
    private boolean reveals;

    /// Frames since the last burst.
    private int sinceBurst;

    /// After how many of them there are no bursts any more; 0 before the first burst.
    private int quiet;

    /// Polls in a row that found a frame: after two of them, or after one that found several, the next one asks for
    /// many. Two, because one message and then none is what programs see that exchange single ones.
    private int found;

    /// The most frames in one datagram of the last poll.
    private int framesTogether = 1;

    /// @param destination the one address that the socket hears
    LinuxReceiver(int fd, int slots, boolean mayCoalesce, SocketAddresses addresses, Gid destination) {
        this.fd = fd;
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

    /// Reads the control data that the socket was told to give.
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
        mayCoalesce = false;
        if (LinuxSocket.coalesce(fd, true)) {
            coalesces = true;
            quiet = sinceBurst < quiet ? Math.min(quiet * 2, LONGEST_QUIET) : QUIET;
            sinceBurst = 0;
            useForMany();
        }
    }

    /// Only when the socket was empty a moment ago.
    private void separate() {
        if (LinuxSocket.coalesce(fd, false)) {
            coalesces = false;
            mayCoalesce = true;
            sinceBurst = 0;
            use(forSingle);
        }
    }

    /// Frames that came as one datagram are handed over together, even when they are more than `limit`.
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
        } else if (coalesces && sinceBurst >= quiet && !reveals) {
            separate();
        }
        return received;
    }

    private void onReceived(int received) {
        if (received >= BURST && mayCoalesce) {
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
                ? Libc.recvfrom(
                        fd, buffers.address, buffers.slotBytes, TRUE_LENGTH, headers.name(0), headers.nameLength(0))
                : Libc.recvmsg(fd, headers.header(0), TRUE_LENGTH);
        if (length < 0) {
            return 0;
        }
        framesTogether = 1;
        return deliver(handler, 0, length);
    }

    private int receiveMany(FrameHandler handler, int limit) {
        MessageHeaders headers = buffers.headers;
        int datagrams = Libc.recvmmsg(fd, headers.header(0), limit, TRUE_LENGTH);
        framesTogether = 1;
        int received = 0;
        for (int slot = 0; slot < datagrams; slot++) {
            received += deliver(handler, slot, headers.transferred(slot));
        }
        return received;
    }

    /// Hands over the frames of a datagram; returns how many.
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
        // The kernel wrote how much it used into the place where it reads how much there is.
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
