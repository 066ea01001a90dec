package io.verbena.tools.view;

import java.util.ArrayList;
import java.util.List;

/// Words for sequence numbers: `PSN 0, 1, 3 and 6 to 9`.
final class PsnNumbers {
    private static final int MOST = 8;

    private record Range(long from, long to) {}

    private final List<Range> ranges = new ArrayList<>();
    private long count;

    /// Positions of a [PacketStream], or sequence numbers.
    void add(long from, long to) {
        count += to - from + 1;
        Range last = ranges.isEmpty() ? null : ranges.getLast();
        if (last != null && last.to + 1 == from) {
            ranges.set(ranges.size() - 1, new Range(last.from, to));
        } else {
            ranges.add(new Range(from, to));
        }
    }

    long count() {
        return count;
    }

    @Override
    public String toString() {
        List<String> words = new ArrayList<>();
        long told = 0;
        for (Range range : ranges) {
            long length = range.to - range.from + 1;
            if (words.size() >= MOST) {
                break;
            }
            told += length;
            if (length > 2) {
                words.add(PacketStream.psn(range.from) + " to " + PacketStream.psn(range.to));
            } else {
                words.add(String.valueOf(PacketStream.psn(range.from)));
                if (length == 2) {
                    words.add(String.valueOf(PacketStream.psn(range.to)));
                }
            }
        }
        if (told < count) {
            words.add((count - told) + " more");
        }
        return "PSN " + list(words);
    }

    /// `a, b and c`
    static String list(List<String> words) {
        int last = words.size() - 1;
        return last <= 0
                ? String.join("", words)
                : String.join(", ", words.subList(0, last)) + " and " + words.get(last);
    }
}
