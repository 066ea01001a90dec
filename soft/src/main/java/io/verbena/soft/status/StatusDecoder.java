package io.verbena.soft.status;

import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads a status in its [StatusFormat]. Bytes may be cut or wrong in any way: then it throws, and never allocates more
/// than the bytes could stand for.
final class StatusDecoder {
    private static final QueuePairType[] TYPES = QueuePairType.values();
    private static final QueuePairState[] STATES = QueuePairState.values();
    private static final ConnectionPath[] PATHS = ConnectionPath.values();

    /// The least bytes of a text, a counter with its name, a shard, and a device.
    private static final int TEXT_BYTES = Short.BYTES;

    private static final int COUNTER_BYTES = TEXT_BYTES + Long.BYTES;
    private static final int SHARD_BYTES = 2 * Integer.BYTES;
    private static final int DEVICE_BYTES = 3 * TEXT_BYTES + 2 * Integer.BYTES;

    private final ByteBuffer in;

    private StatusDecoder(ByteBuffer in) {
        this.in = in;
    }

    /// Checks the header and returns the number of bytes behind it.
    static int bodyBytes(ByteBuffer header) throws StatusFormatException {
        if (header.remaining() < StatusFormat.HEADER_BYTES || header.getInt(0) != StatusFormat.MAGIC) {
            throw new StatusFormatException("it does not send the status of a Verbena process");
        }
        int version = Short.toUnsignedInt(header.getShort(4));
        if (version != StatusFormat.VERSION) {
            throw new StatusFormatException("it sends its status in version %d, this program reads version %d; use the"
                            .formatted(version, StatusFormat.VERSION)
                    + " 'verbena top' of its Verbena");
        }
        int bytes = header.getInt(8);
        if (bytes < 0 || bytes > StatusFormat.MOST_BYTES) {
            throw new StatusFormatException("its status claims to have " + Integer.toUnsignedString(bytes) + " bytes");
        }
        return bytes;
    }

    /// @param body the bytes behind the header
    static ProcessStatus decode(ByteBuffer body) throws StatusFormatException {
        try {
            ProcessStatus status = new StatusDecoder(body).process();
            if (body.hasRemaining()) {
                throw new StatusFormatException("its status has " + body.remaining() + " bytes too many");
            }
            return status;
        } catch (BufferUnderflowException e) {
            throw new StatusFormatException("its status is cut");
        }
    }

    private ProcessStatus process() throws StatusFormatException {
        long pid = in.getLong();
        long startMs = in.getLong();
        long cpuNs = in.getLong();
        long nowNs = in.getLong();
        int leftOut = in.getInt();
        String program = text();
        List<String> listening = new ArrayList<>();
        for (int left = count(TEXT_BYTES); left > 0; left--) {
            listening.add(text());
        }
        List<DeviceStatus> devices = new ArrayList<>();
        for (int left = count(DEVICE_BYTES); left > 0; left--) {
            devices.add(device());
        }
        return new ProcessStatus(pid, program, startMs, cpuNs, nowNs, leftOut, listening, devices);
    }

    private DeviceStatus device() throws StatusFormatException {
        String name = text();
        String state = text();
        String sharedMemory = text();
        List<ShardStatus> shards = new ArrayList<>();
        for (int left = count(SHARD_BYTES); left > 0; left--) {
            shards.add(shard());
        }
        int count = count(StatusFormat.CONNECTION_BYTES);
        List<ConnectionStatus> connections = new ArrayList<>(count);
        for (int left = count; left > 0; left--) {
            connections.add(connection());
        }
        return new DeviceStatus(name, state, sharedMemory, shards, connections);
    }

    private ShardStatus shard() throws StatusFormatException {
        int number = in.getInt();
        Map<String, Long> counters = new LinkedHashMap<>();
        for (int left = count(COUNTER_BYTES); left > 0; left--) {
            counters.put(text(), in.getLong());
        }
        return new ShardStatus(number, counters);
    }

    private ConnectionStatus connection() throws StatusFormatException {
        QueuePairType type = constant(TYPES);
        QueuePairState state = constant(STATES);
        ConnectionPath path = constant(PATHS);
        boolean sharesReceives = in.get() != 0;
        boolean waitsForReceiver = in.get() != 0;
        int number = in.getInt();
        int shard = in.getInt();
        int peerNumber = in.getInt();
        int localPort = in.getInt();
        int peerPort = in.getInt();
        int sendCapacity = in.getInt();
        int receiveCapacity = in.getInt();
        int sendPsn = in.getInt();
        int receivePsn = in.getInt();
        Gid peer = new Gid(in.getLong(), in.getLong());
        long outstanding = in.getLong();
        long postedReceives = in.getLong();
        // Java evaluates arguments from left to right, and the rest is in the order of the components.
        return new ConnectionStatus(
                number,
                shard,
                type,
                state,
                path,
                peer,
                peerNumber,
                localPort,
                peerPort,
                sendCapacity,
                outstanding,
                receiveCapacity,
                postedReceives,
                sharesReceives,
                waitsForReceiver,
                in.getLong(),
                in.getLong(),
                in.getLong(),
                sendPsn,
                receivePsn,
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getLong());
    }

    private <E> E constant(E[] all) throws StatusFormatException {
        int ordinal = Byte.toUnsignedInt(in.get());
        if (ordinal >= all.length) {
            throw new StatusFormatException("its status has an unknown "
                    + all.getClass().componentType().getSimpleName());
        }
        return all[ordinal];
    }

    /// A number of things that follow.
    ///
    /// @param leastBytes what each of them takes at least
    private int count(int leastBytes) throws StatusFormatException {
        int count = in.getInt();
        if (count < 0 || count > in.remaining() / leastBytes) {
            throw new StatusFormatException("its status claims to have " + Integer.toUnsignedString(count)
                    + " entries in " + in.remaining() + " bytes");
        }
        return count;
    }

    private String text() throws StatusFormatException {
        int length = Short.toUnsignedInt(in.getShort());
        if (length > StatusFormat.MOST_TEXT_BYTES) {
            throw new StatusFormatException("its status has a text of " + length + " bytes");
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
