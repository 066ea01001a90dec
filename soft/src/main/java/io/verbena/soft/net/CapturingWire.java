package io.verbena.soft.net;

import io.verbena.verbs.attr.Gid;

/// Writes all frames that another wire sends and receives to a capture file.
final class CapturingWire extends ForwardingWire {
    private final CaptureFile file;
    private final Frame sent;
    private final FrameHandler recorder = this::record;
    private FrameHandler receiver;

    /// @param file is closed with the wire
    CapturingWire(Wire wire, CaptureFile file) {
        super(wire);
        this.file = file;
        Gid local = Gid.of(wire.localAddress());
        sent = new Frame(wire.sendMemory(), wire.sendBytes());
        sent.from(local.high(), local.low(), Wires.PORT);
    }

    @Override
    public int identify(int length, long destinationHigh, long destinationLow, long traffic) {
        return wire.identify(length, destinationHigh, destinationLow, traffic);
    }

    @Override
    public void commit(int offset, int length, long destinationHigh, long destinationLow, long traffic) {
        sent.to(destinationHigh, destinationLow);
        sent.traffic(traffic);
        sent.show(offset, length);
        file.write(sent);
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
        file.write(frame);
        receiver.onFrame(frame);
    }
}
