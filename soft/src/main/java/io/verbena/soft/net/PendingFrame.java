package io.verbena.soft.net;

import io.verbena.soft.fault.FrameView;
import java.nio.ByteBuffer;

/// The one view of frames that a [FaultInjector] shows its rules.
final class PendingFrame implements FrameView {
    private long index;
    private ByteBuffer bytes;
    private int offset;
    private int length;

    void show(long newIndex, ByteBuffer newBytes, int newOffset, int newLength) {
        index = newIndex;
        bytes = newBytes;
        offset = newOffset;
        length = newLength;
    }

    @Override
    public long index() {
        return index;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public int byteAt(int position) {
        if (position < 0 || position >= length) {
            throw new IndexOutOfBoundsException("byte " + position + " of a frame of " + length + " bytes");
        }
        return Byte.toUnsignedInt(bytes.get(offset + position));
    }
}
