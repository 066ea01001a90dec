package io.verbena.soft.net;

import io.verbena.verbs.attr.Gid;

/// Writes all frames that pass another wire, both ways, to a capture file.
final class CapturingWire extends ForwardingWire {
    private final CaptureFile file;
    private final long localHigh;
    private final long localLow;
    private final FrameHandler recorder = this::record;
    private FrameHandler receiver;

    /// @param file is closed with the wire
    CapturingWire(Wire wire, CaptureFile file) {
        super(wire);
        this.file = file;
        Gid local = Gid.of(wire.localAddress());
        localHigh = local.high();
        localLow = local.low();
    }

    @Override
    public int identify(int length, long destinationHigh, long destinationLow, long traffic) {
        return wire.identify(length, destinationHigh, destinationLow, traffic);
    }

    @Override
    public void commit(int offset, int length, long destinationHigh, long destinationLow, long traffic) {
        file.write(
                localHigh,
                localLow,
                wire.sourcePort(),
                destinationHigh,
                destinationLow,
                traffic,
                wire.sendBytes(),
                offset,
                length);
        wire.commit(offset, length, destinationHigh, destinationLow, traffic);
    }

    @Override
    public int receive(FrameHandler handler, int limit) {
        receiver = handler;
        int received = wire.receive(recorder, limit);
        if (received == 0) {
            file.flush();
        }
        return received;
    }

    @Override
    public void await(long timeoutNs) {
        file.flush();
        wire.await(timeoutNs);
    }

    @Override
    public void close() {
        wire.close();
        file.close();
    }

    private void record(Frame frame) {
        file.write(
                frame.sourceHigh(),
                frame.sourceLow(),
                frame.sourcePort(),
                frame.destinationHigh(),
                frame.destinationLow(),
                frame.traffic(),
                frame.bytes(),
                frame.offset(),
                frame.length());
        receiver.onFrame(frame);
    }
}
