package io.verbena.soft.shm;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.SoftContext;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.rig.End;
import java.lang.foreign.ValueLayout;

/// Two ends whose messages have found each other's inboxes: from here on short ones leave in the call that posts them.
final class OpenPair {
    /// Enough polls that whatever is on its way has come.
    private static final int MANY = 1000;

    private OpenPair() {}

    static SharedPair open() {
        SharedPair pair = new SharedPair(SharedPair.PATIENT);
        exchange(pair, pair.left, pair.right);
        exchange(pair, pair.right, pair.left);
        return pair;
    }

    private static void exchange(SharedPair pair, End from, End to) {
        to.receive(0, 0, 8);
        from.send(0, 0, 8);
        assertTrue(pair.driveUntil(() -> from.completions.size() == 1 && to.completions.size() == 1));
        from.completions.clear();
        to.completions.clear();
    }

    static Engine engine(End end) {
        return ((SoftContext) end.context).engine();
    }

    /// Runs a task while nobody but this thread is at the device's engine.
    static void hold(End end, Runnable task) {
        engine(end).execute(task);
    }

    static Lane lane(End end) {
        return engine(end).sharing().links()[0].lane();
    }

    /// How many short messages have been put into an end's inbox, if that was less than it holds.
    static int shortMessages(SharedPair pair, End end) {
        int count = 0;
        try (SharedFile file = pair.inbox(end)) {
            long cell = 0;
            while (file.memory().get(ValueLayout.JAVA_INT, InboxLayout.cellAt(cell)) == InboxLayout.mark(cell)) {
                long form = file.memory().get(ValueLayout.JAVA_LONG, InboxLayout.cellAt(cell) + InboxLayout.FORM);
                count += InboxLayout.kind(form) == InboxLayout.SHORT ? 1 : 0;
                cell += InboxLayout.cells(InboxLayout.bytes(form));
            }
        }
        return count;
    }

    static void pollOften(SharedPair pair) {
        for (int i = 0; i < MANY; i++) {
            pair.left.poll();
            pair.right.poll();
        }
    }
}
