package io.verbena.soft.net;

import io.verbena.soft.fault.FrameView;
import java.nio.ByteBuffer;

/// A frame as a [FaultInjector] shows it to its rules.
record PendingFrame(long index, ByteBuffer bytes, int offset, int length) implements FrameView {
    @Override
    public int byteAt(int position) {
        if (position < 0 || position >= length) {
            throw new IndexOutOfBoundsException("byte " + position + " of a frame of " + length + " bytes");
        }
        return Byte.toUnsignedInt(bytes.get(offset + position));
    }
}
