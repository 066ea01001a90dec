package io.verbena.bench.side;

import java.util.Locale;

/// A measurement, independent of the contestant. Two contestants are compared by equal measurements, or by those that a
/// goal pairs.
///
/// - `size`: bytes of one message
/// - `read`: whether the receiver reads every byte of the payload. A library that copies the payload for the program
///   reads it.
public record Measurement(Kind kind, Operation operation, int size, Waiting waiting, boolean read) {
    public enum Kind {
        /// One message there, one back (or one operation and its completion); then the next.
        ROUND_TRIP,
        /// Many messages in flight, in one direction.
        STREAM,
        /// A round trip, then a pause of some milliseconds: measures the cost of waiting.
        PACED
    }

    /// Operations, by the names of verbs. Peer libraries use their nearest one: a tagged message, a stream of bytes or
    /// an Aeron message is a SEND, a put is a WRITE, a get is a READ.
    public enum Operation {
        SEND,
        WRITE,
        READ,
        FETCH_ADD,
        /// One packet through the kernel, without a protocol on top.
        DATAGRAM,
        /// A copy from memory to memory in one thread: the limit of everything that copies.
        COPY,
        /// One cache line to the other core and back: the limit of everything that uses shared memory.
        CACHE_LINE
    }

    public enum Waiting {
        SPIN,
        BLOCK
    }

    public Measurement {
        if (size < 1) {
            throw new IllegalArgumentException("a message of " + size + " bytes");
        }
    }

    public static Measurement roundTrip(Operation operation, int size) {
        return new Measurement(Kind.ROUND_TRIP, operation, size, Waiting.SPIN, false);
    }

    public static Measurement stream(Operation operation, int size) {
        return new Measurement(Kind.STREAM, operation, size, Waiting.SPIN, false);
    }

    /// The same measurement with a receiver that reads the payload.
    public Measurement withRead() {
        return new Measurement(kind, operation, size, waiting, true);
    }

    /// The same measurement with sides that sleep in the kernel while they wait.
    public Measurement blocking() {
        return new Measurement(kind, operation, size, Waiting.BLOCK, read);
    }

    public Measurement ofKind(Kind other) {
        return new Measurement(other, operation, size, waiting, read);
    }

    /// The measurement as one line, for [#parse].
    public String toLine() {
        return kind + " " + operation + " " + size + " " + waiting + " " + read;
    }

    public static Measurement parse(String line) {
        String[] words = line.trim().split(" ");
        if (words.length != 5) {
            throw new IllegalArgumentException("no measurement: " + line);
        }
        return new Measurement(
                Kind.valueOf(words[0]),
                Operation.valueOf(words[1]),
                Integer.parseInt(words[2]),
                Waiting.valueOf(words[3]),
                Boolean.parseBoolean(words[4]));
    }

    /// The text for people: `64 B SEND round trip, payload read`.
    @Override
    public String toString() {
        return Sizes.text(size) + " "
                + operation.name().toLowerCase(Locale.ROOT).replace('_', '-') + " "
                + kind.name().toLowerCase(Locale.ROOT).replace('_', ' ')
                + (waiting == Waiting.BLOCK ? ", blocking" : "") + (read ? ", payload read" : "");
    }
}
