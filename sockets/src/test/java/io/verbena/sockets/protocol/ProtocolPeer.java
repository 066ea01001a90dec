package io.verbena.sockets.protocol;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// One end of a connection whose requests wait until the test delivers them.
final class ProtocolPeer implements RequestPoster {
    /// A request on its way.
    record Request(byte[] bytes, long address, int key, Integer word, int number, boolean signaled) {}

    final ArrayDeque<Request> requests = new ArrayDeque<>();
    final List<HeapMemory> memories = new ArrayList<>();
    final StreamProtocol protocol;
    int receives;

    /// Whether the device has no more memory.
    boolean isMemoryUsedUp;

    ProtocolPeer(StreamSettings settings) {
        protocol = new StreamProtocol(
                settings,
                length -> {
                    if (isMemoryUsedUp) {
                        throw new RdmaException("allocate", Errno.ENOMEM, "no memory");
                    }
                    HeapMemory memory = new HeapMemory(length);
                    memories.add(memory);
                    return memory;
                },
                this);
        receives = settings.receives();
    }

    @Override
    public void writeWithWord(
            RegisteredMemory from,
            long offset,
            int length,
            long address,
            int key,
            int word,
            int number,
            boolean signaled) {
        requests.add(new Request(copy(from, offset, length), address, key, word, number, signaled));
    }

    @Override
    public void write(
            RegisteredMemory from, long offset, int length, long address, int key, int number, boolean signaled) {
        requests.add(new Request(copy(from, offset, length), address, key, null, number, signaled));
    }

    private static byte[] copy(RegisteredMemory from, long offset, int length) {
        byte[] bytes = new byte[length];
        from.bytes().get((int) offset, bytes);
        return bytes;
    }

    @Override
    public void postReceives(int count) {
        receives += count;
    }

    /// Delivers the oldest request to the other end, as a device would.
    void deliverOne(ProtocolPeer to) {
        Request request = requests.remove();
        if (request.bytes.length > 0) {
            to.place(request);
        }
        if (request.word != null) {
            if (--to.receives < 0) {
                throw new AssertionError("no receive is posted");
            }
            to.protocol.onWord(request.word, request.bytes.length);
        }
        if (request.signaled) {
            protocol.onCompleted(request.number);
        }
    }

    private void place(Request request) {
        for (HeapMemory memory : memories) {
            long offset = request.address - memory.address();
            if (memory.rkey() == request.key && !memory.isClosed) {
                memory.bytes().put((int) offset, request.bytes);
                return;
            }
        }
        throw new AssertionError("remote access error: " + request);
    }

    /// Writes what fits.
    int write(ByteBuffer from) {
        int total = 0;
        while (from.hasRemaining()) {
            SendChunk chunk = protocol.space(from.remaining());
            if (chunk == null) {
                return total;
            }
            int n = Math.min(chunk.room(), from.remaining());
            chunk.bytes().put(chunk.fillOffset(), from, from.position(), n);
            from.position(from.position() + n);
            protocol.commit(chunk, n);
            total += n;
        }
        return total;
    }

    /// Reads at most so many bytes.
    byte[] read(int most) {
        ByteBuffer to = ByteBuffer.allocate(most);
        while (to.hasRemaining() && protocol.readable() > 0) {
            int n = Math.min(to.remaining(), protocol.readableLength());
            byte[] part = new byte[n];
            protocol.readableBytes().get(protocol.readableOffset(), part);
            to.put(part);
            protocol.consume(n);
        }
        byte[] read = new byte[to.position()];
        to.get(0, read);
        return read;
    }
}
