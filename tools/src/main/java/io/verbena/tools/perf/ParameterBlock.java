package io.verbena.tools.perf;

import io.verbena.tools.perf.PerfParameters.AtomicType;
import io.verbena.tools.program.ProgramException;
import io.verbena.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/// The parameters as a Verbena client sends them: a length of four bytes, then lines `name=value`. The server's answer
/// has the same form: `ok=1`, or `refused=` and the reason.
final class ParameterBlock {
    private static final int LENGTH_BYTES = 4;
    private static final int LONGEST = 8192;

    private ParameterBlock() {}

    static void sendParameters(PeerChannel channel, PerfParameters p) {
        Map<String, Object> lines = new LinkedHashMap<>();
        lines.put("test", p.test().label());
        lines.put("transport", p.transport());
        lines.put("sizes", p.sizes().stream().map(String::valueOf).collect(Collectors.joining(",")));
        lines.put("iterations", p.iterations());
        lines.put("seconds", p.seconds());
        lines.put("tx-depth", p.txDepth());
        lines.put("rx-depth", p.rxDepth());
        lines.put("cq-moderation", p.cqModeration());
        lines.put("inline", p.inlineBytes());
        lines.put("queue-pairs", p.queuePairs());
        lines.put("bidirectional", p.bidirectional());
        lines.put("events", p.events());
        lines.put("post-list", p.postList());
        lines.put("mtu", p.mtu());
        lines.put("atomic-type", p.atomicType());
        lines.put("outstanding-reads", p.outstandingReads());
        lines.put("ack-timeout", p.ackTimeout());
        lines.put("retry-count", p.retryCount());
        lines.put("warm-up", p.warmUp());
        lines.put("verify", p.verify());
        send(channel, lines);
    }

    static PerfParameters receiveParameters(PeerChannel channel) {
        Lines lines = receive(channel, "parameters");
        try {
            return new PerfParameters(
                    PerfTest.of(lines.text("test")),
                    QueuePairType.valueOf(lines.text("transport")),
                    Arrays.stream(lines.text("sizes").split(","))
                            .map(Integer::valueOf)
                            .toList(),
                    lines.number("iterations"),
                    lines.number("seconds"),
                    lines.number("tx-depth"),
                    lines.number("rx-depth"),
                    lines.number("cq-moderation"),
                    lines.number("inline"),
                    lines.number("queue-pairs"),
                    lines.flag("bidirectional"),
                    lines.flag("events"),
                    lines.number("post-list"),
                    lines.number("mtu"),
                    AtomicType.valueOf(lines.text("atomic-type")),
                    lines.number("outstanding-reads"),
                    lines.number("ack-timeout"),
                    lines.number("retry-count"),
                    lines.flag("warm-up"),
                    lines.flag("verify"));
        } catch (IllegalArgumentException e) {
            throw new ProgramException("the client's parameters are unreadable: " + e.getMessage(), e);
        }
    }

    static void accept(PeerChannel channel) {
        send(channel, Map.of("ok", 1));
    }

    static void refuse(PeerChannel channel, String why) {
        send(channel, Map.of("refused", why.replaceAll("[\\r\\n]+", "; ")));
    }

    /// The server's answer.
    static void requireAccepted(PeerChannel channel) {
        Lines answer = receive(channel, "answer to our parameters");
        String refused = answer.values.get("refused");
        if (refused != null) {
            throw new ProgramException("the server refuses: " + refused);
        }
    }

    private static void send(PeerChannel channel, Map<String, ?> lines) {
        byte[] text = lines.entrySet().stream()
                .map(line -> line.getKey() + "=" + line.getValue() + "\n")
                .collect(Collectors.joining())
                .getBytes(StandardCharsets.UTF_8);
        channel.send(ByteBuffer.allocate(LENGTH_BYTES + text.length)
                .putInt(text.length)
                .put(text)
                .array());
    }

    private static Lines receive(PeerChannel channel, String what) {
        int length = ByteBuffer.wrap(channel.receive(LENGTH_BYTES, what)).getInt();
        if (length < 0 || length > LONGEST) {
            throw new ProgramException("the peer announces " + what + " of " + length + " bytes, more than " + LONGEST);
        }
        Map<String, String> values = new LinkedHashMap<>();
        // parts of this text get into messages, and must not control the terminal there
        new String(channel.receive(length, what), StandardCharsets.UTF_8)
                .replaceAll("[\\p{C}&&[^\n]]", "?")
                .lines()
                .forEach(line -> {
                    int at = line.indexOf('=');
                    if (at > 0) {
                        values.put(line.substring(0, at), line.substring(at + 1));
                    }
                });
        return new Lines(values);
    }

    private record Lines(Map<String, String> values) {
        String text(String name) {
            String value = values.get(name);
            if (value == null) {
                throw new IllegalArgumentException("'" + name + "' is missing");
            }
            return value;
        }

        int number(String name) {
            try {
                return Integer.parseInt(text(name));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("'" + name + "' is no number: " + text(name), e);
            }
        }

        boolean flag(String name) {
            return text(name).equals("true");
        }
    }
}
