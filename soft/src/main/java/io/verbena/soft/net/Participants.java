package io.verbena.soft.net;

import io.verbena.soft.net.Participant.Wait;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// The threads that take turns, in the order they came. Guarded by [SimulatedThreads].
final class Participants {
    private final List<Participant> list = new ArrayList<>();

    /// Index of the participant that ran last. The search for the next one begins behind it.
    private int last;

    void add(Participant added) {
        list.add(added);
    }

    /// The participant of a thread, created if there is none. Participants of ended threads are removed.
    Participant of(Thread thread, Participant holder) {
        for (Participant known : List.copyOf(list)) {
            if (known.thread == thread) {
                return known;
            }
            if (known.isGone() && known != holder) {
                remove(known);
            }
        }
        Participant added = new Participant(thread);
        list.add(added);
        return added;
    }

    void remove(Participant gone) {
        int at = list.indexOf(gone);
        if (at >= 0) {
            list.remove(at);
            last = at <= last ? last - 1 : last;
        }
    }

    void onRuns(Participant one) {
        last = list.indexOf(one);
    }

    /// The first match behind the participant that ran last; null when there is none.
    Participant first(Predicate<Participant> wanted) {
        for (int i = 1; i <= list.size(); i++) {
            Participant candidate = list.get((last + i) % list.size());
            if (wanted.test(candidate)) {
                return candidate;
            }
        }
        return null;
    }

    /// The first whose wait has timed out.
    Participant firstExpired(long nowNs) {
        Participant expired = first(one -> isBounded(one) && one.wait.endNs - nowNs <= 0);
        if (expired != null) {
            expired.wait.isExpired = true;
        }
        return expired;
    }

    /// Whether any wait has a timeout.
    boolean isAnyBounded() {
        return list.stream().anyMatch(Participants::isBounded);
    }

    private static boolean isBounded(Participant one) {
        Wait wait = one.wait;
        return wait != null && !wait.isForEver;
    }

    /// How long until the first timeout.
    long untilFirstEndNs(long nowNs) {
        return list.stream()
                .filter(Participants::isBounded)
                .mapToLong(one -> one.wait.endNs - nowNs)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    boolean isAnyAway() {
        return list.stream().anyMatch(one -> one.isAway && !one.isGone());
    }

    /// Whether a participant that is away runs, for less than `longestNs`.
    boolean isAwayOneRunning(long longestNs, long realNowNs) {
        boolean runs = false;
        for (Participant one : list) {
            runs |= one.isAway && one.runsLessThan(longestNs, realNowNs);
        }
        return runs;
    }

    /// Ends all waits with a message that names each thread and where it waits.
    void onDeadlock(String text) {
        String all = list.stream()
                .filter(one -> !one.isGone())
                .map(Participant::toString)
                .collect(Collectors.joining("; ", text + "; ", ""));
        list.stream().filter(one -> one.wait != null).forEach(one -> one.wait.deadlock = all);
    }
}
