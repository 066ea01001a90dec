package io.verbena.endpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.RemoteBuffer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The bytes of `docs/endpoint-protocol.md` are those of the code.
class ProtocolVectorsTest {
    static List<ProtocolVector> vectors() throws IOException {
        return ProtocolVector.all();
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void shouldEncodeWhatTheDocumentShows(ProtocolVector vector) {
        byte[] encoded = switch (vector.what()) {
            case "handshake" -> handshake(vector).encode();
            case "reason" -> Handshake.encodeReason(vector.fields().get("text"));
            case "message" -> message(vector, vector.small("kind"), vector.small("flags"), vector.text());
            case "announcement" -> message(vector, vector.small("kind"), MessageHeader.LONG, announced(vector));
            case "found" -> message(vector, MessageHeader.FOUND, 0, found(vector));
            default -> throw new AssertionError("no such vector: " + vector);
        };
        assertArrayEquals(vector.bytes(), encoded);
    }

    private static Handshake handshake(ProtocolVector vector) {
        return new Handshake(vector.small("credits"), vector.small("bufferBytes"), vector.small("longMessages"));
    }

    private static byte[] message(ProtocolVector vector, int kind, int flags, byte[] payload) {
        byte[] bytes = new byte[MessageHeader.BYTES + payload.length];
        MemorySegment to = MemorySegment.ofArray(bytes);
        MessageHeader.write(to, 0, kind, flags, vector.small("credits"), payload.length, vector.number("number"));
        MemorySegment.copy(payload, 0, to, ValueLayout.JAVA_BYTE, MessageHeader.BYTES, payload.length);
        return bytes;
    }

    private static byte[] announced(ProtocolVector vector) {
        return Announcement.encode(
                vector.number("transfer"), vector.number("address"), vector.number("length"), vector.small("rkey"));
    }

    private static byte[] found(ProtocolVector vector) {
        return ByteBuffer.allocate(Exports.FOUND_BYTES)
                .put(remote(vector).encode())
                .putInt(vector.small("rights"))
                .putLong(vector.number("export"))
                .array();
    }

    private static RemoteBuffer remote(ProtocolVector vector) {
        return new RemoteBuffer(vector.number("address"), vector.number("length"), vector.small("rkey"));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void shouldDecodeWhatTheDocumentShows(ProtocolVector vector) {
        byte[] bytes = vector.bytes();
        switch (vector.what()) {
            case "handshake" -> assertEquals(handshake(vector), Handshake.decode(bytes));
            case "reason" -> assertEquals(vector.fields().get("text"), Handshake.decodeReason(bytes));
            case "message" -> {
                byte[] payload = header(vector, vector.small("kind"), vector.small("flags"));
                assertArrayEquals(vector.text(), payload);
            }
            case "announcement" -> {
                header(vector, vector.small("kind"), MessageHeader.LONG);
                assertEquals(
                        new Announcement(
                                vector.small("kind"),
                                vector.number("number"),
                                vector.number("transfer"),
                                vector.number("address"),
                                vector.number("length"),
                                vector.small("rkey")),
                        Announcement.decode(
                                vector.small("kind"), vector.number("number"), MemorySegment.ofArray(bytes)));
            }
            case "found" -> {
                byte[] payload = header(vector, MessageHeader.FOUND, 0);
                assertEquals(remote(vector), RemoteBuffer.decode(payload));
            }
            default -> throw new AssertionError("no such vector: " + vector);
        }
    }

    /// Checks the header, and returns what follows it.
    private static byte[] header(ProtocolVector vector, int kind, int flags) {
        MemorySegment bytes = MemorySegment.ofArray(vector.bytes());
        long first = MessageHeader.first(bytes);
        assertEquals(kind, MessageHeader.kind(first));
        assertEquals(flags, MessageHeader.flags(first));
        assertEquals(vector.small("credits"), MessageHeader.credits(first));
        assertEquals(vector.number("number"), MessageHeader.number(bytes));
        assertEquals(bytes.byteSize() - MessageHeader.BYTES, MessageHeader.length(first));
        return bytes.asSlice(MessageHeader.BYTES).toArray(ValueLayout.JAVA_BYTE);
    }

    @Test
    void shouldShowEveryKindOfMessage() throws IOException {
        TreeSet<Integer> kinds = new TreeSet<>();
        for (ProtocolVector vector : vectors()) {
            if (!vector.what().equals("handshake") && !vector.what().equals("reason")) {
                kinds.add((int) vector.bytes()[0]);
            }
        }
        List<Integer> all = new ArrayList<>();
        for (int kind = MessageHeader.MESSAGE; kind <= MessageHeader.END; kind++) {
            all.add(kind);
        }
        assertEquals(all, List.copyOf(kinds));
    }

    @Test
    void shouldRefuseHandshakesOfOthers() throws IOException {
        byte[] right = vectors().getFirst().bytes();
        for (int at : new int[] {0, 4}) {
            byte[] wrong = right.clone();
            wrong[at]++;
            String why = assertThrows(IllegalArgumentException.class, () -> Handshake.decode(wrong))
                    .getMessage();
            assertTrue(why.contains("endpoint protocol"), why);
        }
        byte[] padded = Arrays.copyOf(right, 56); // as the connection manager of the kernel does
        assertEquals(new Handshake(64, 4096, 4), Handshake.decode(padded));
        assertEquals("", Handshake.decodeReason("nobody listens".getBytes(StandardCharsets.UTF_8)));
    }
}
