package io.verbena.tools.perf;

/// The peak bandwidth of a stream as perftest defines it: of all windows from a post to a later completion, the one
/// with the least time per message.
final class PeakWindow {
    /// perftest searches for no peak beyond this number of messages: the search takes quadratic time.
    static final int MOST_MESSAGES = 20_000;

    private long[] posted = {};
    private long[] completedAt = {};
    private long[] completedCount = {};
    private int posts;
    private int completions;

    static boolean isFound(PerfParameters parameters) {
        return !parameters.byDuration() && (long) parameters.iterations() * parameters.queuePairs() <= MOST_MESSAGES;
    }

    /// Reserves memory for a run; 0 messages: find no peak.
    void restart(int messages) {
        if (posted.length < messages) {
            posted = new long[messages];
            completedAt = new long[messages];
            completedCount = new long[messages];
        }
        posts = 0;
        completions = 0;
    }

    void onPost(long nowNs, int messages) {
        for (int i = 0; i < messages && posts < posted.length; i++) {
            posted[posts++] = nowNs;
        }
    }

    /// @param count messages completed so far
    void onCompletion(long nowNs, long count) {
        if (completions < completedAt.length) {
            completedAt[completions] = nowNs;
            completedCount[completions++] = count;
        }
    }

    double bytesPerSecond(int size) {
        double least = Double.MAX_VALUE;
        int first = 0;
        for (int i = 0; i < posts; i++) {
            while (first < completions && completedCount[first] <= i) {
                first++;
            }
            for (int j = first; j < completions; j++) {
                least = Math.min(least, (double) (completedAt[j] - posted[i]) / (completedCount[j] - i));
            }
        }
        return least == Double.MAX_VALUE || least <= 0 ? 0 : size * 1e9 / least;
    }
}
