package io.verbena.soft.status;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// Writes a status in its [StatusFormat].
public final class StatusEncoder {
    private ByteBuffer out;

    private StatusEncoder(int bytes) {
        out = ByteBuffer.allocate(bytes);
    }

    /// The most connections that a status may have.
    public static int mostConnections() {
        return StatusFormat.MOST_CONNECTIONS;
    }

    /// The bytes to send.
    public static ByteBuffer encode(ProcessStatus status) {
        int connections = status.devices().stream()
                .mapToInt(device -> device.connections().size())
                .sum();
        StatusEncoder encoder = new StatusEncoder(4096 + connections * StatusFormat.CONNECTION_BYTES);
        encoder.out.putInt(StatusFormat.MAGIC);
        encoder.out.putShort((short) StatusFormat.VERSION).putShort((short) 0).putInt(0);
        encoder.process(status);
        int bytes = encoder.out.position() - StatusFormat.HEADER_BYTES;
        encoder.out.putInt(StatusFormat.HEADER_BYTES - Integer.BYTES, bytes);
        return encoder.out.flip();
    }

    private void process(ProcessStatus status) {
        room(5 * Long.BYTES);
        out.putLong(status.pid())
                .putLong(status.startMs())
                .putLong(status.cpuNs())
                .putLong(status.nowNs())
                .putInt(status.leftOut());
        text(status.program());
        count(status.listening().size());
        status.listening().forEach(this::text);
        count(status.devices().size());
        status.devices().forEach(this::device);
    }

    private void device(DeviceStatus device) {
        text(device.name());
        text(device.state());
        text(device.sharedMemory());
        count(device.shards().size());
        device.shards().forEach(this::shard);
        List<ConnectionStatus> connections = device.connections();
        count(connections.size());
        room(connections.size() * StatusFormat.CONNECTION_BYTES);
        connections.forEach(this::connection);
    }

    private void shard(ShardStatus shard) {
        count(shard.number());
        Map<String, Long> counters = shard.counters();
        count(counters.size());
        counters.forEach((name, value) -> {
            text(name);
            room(Long.BYTES);
            out.putLong(value);
        });
    }

    private void connection(ConnectionStatus c) {
        out.put((byte) c.type().ordinal())
                .put((byte) c.state().ordinal())
                .put((byte) c.path().ordinal())
                .put((byte) (c.sharesReceives() ? 1 : 0))
                .put((byte) (c.waitsForReceiver() ? 1 : 0))
                .putInt(c.number())
                .putInt(c.shard())
                .putInt(c.peerNumber())
                .putInt(c.localPort())
                .putInt(c.peerPort())
                .putInt(c.sendCapacity())
                .putInt(c.receiveCapacity())
                .putInt(c.sendPsn())
                .putInt(c.receivePsn())
                .putLong(c.peer().high())
                .putLong(c.peer().low())
                .putLong(c.outstanding())
                .putLong(c.postedReceives())
                .putLong(c.retired())
                .putLong(c.messagesSent())
                .putLong(c.messagesReceived())
                .putLong(c.retransmissions())
                .putLong(c.timeouts())
                .putLong(c.rnrReceived())
                .putLong(c.rnrSent())
                .putLong(c.ageNs())
                .putLong(c.lastBytes());
    }

    private void count(int value) {
        room(Integer.BYTES);
        out.putInt(value);
    }

    private void text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, StatusFormat.MOST_TEXT_BYTES);
        room(Short.BYTES + length);
        out.putShort((short) length).put(bytes, 0, length);
    }

    private void room(int bytes) {
        if (out.remaining() < bytes) {
            int at = out.position();
            out = ByteBuffer.wrap(Arrays.copyOf(out.array(), 2 * at + bytes)).position(at);
        }
    }
}
