package io.verbena.tools.perf;

import io.verbena.tools.perf.Result.PeerReport;
import java.nio.ByteBuffer;

/// What perftest's programs tell each other of a finished stream: five numbers, each an exchange of its own.
/// Rates travel in the unit that both were told to print, MB/s or Gbit/s.
final class BandwidthReport {
    private static final double MEGABYTE = 1 << 20;
    private static final double GIGABIT = 1e9 / 8;
    private static final double MILLION = 1e6;

    private BandwidthReport() {}

    static PeerReport exchange(PeerChannel channel, Result own, boolean gigabits) {
        double unit = gigabits ? GIGABIT : MEGABYTE;
        exchange(channel, own.size());
        exchange(channel, own.messages());
        double peak = exchange(channel, own.peakBytesPerSecond() / unit);
        double average = exchange(channel, own.averageBytesPerSecond() / unit);
        double rate = exchange(channel, own.messagesPerSecond() / MILLION);
        return new PeerReport(peak * unit, average * unit, rate * MILLION);
    }

    private static double exchange(PeerChannel channel, double value) {
        return Double.longBitsToDouble(exchange(channel, Double.doubleToLongBits(value)));
    }

    private static long exchange(PeerChannel channel, long value) {
        byte[] mine = ByteBuffer.allocate(Long.BYTES).putLong(value).array();
        return ByteBuffer.wrap(channel.exchange(mine, mine.length, "bandwidth report"))
                .getLong();
    }
}
