package io.verbena.tools.perf;

import io.verbena.tools.perf.PhaseResult.PeerReport;
import java.nio.ByteBuffer;

/// The five numbers that perftest's programs send each other after a bandwidth run, each in an exchange of its own.
/// Rates are sent in the unit that both sides print, MB/s or Gbit/s.
final class BandwidthReport {
    private static final double MEGABYTE = 1 << 20;
    private static final double GIGABIT = 1e9 / 8;
    private static final double MILLION = 1e6;

    private BandwidthReport() {}

    static PeerReport exchange(PeerChannel channel, PhaseResult own, boolean gigabits) {
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
