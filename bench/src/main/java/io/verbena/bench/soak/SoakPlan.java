package io.verbena.bench.soak;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/// The sequence of turns: every kind once in a random order, then again in another one. The seed determines it.
final class SoakPlan {
    enum Kind {
        TALK("traffic"),
        KILL("kill while messages flow"),
        KILL_CONNECTING("kill while connecting"),
        KILL_IDLE("kill while nothing is under way"),
        STOP("stop shorter than the timeouts"),
        STOP_LONG("stop longer than the timeouts"),
        CHURN("connections that come and go"),
        KILL_CHURN("kill while connections come and go"),
        FLOOD("forged packets");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    record Turn(long number, Kind kind, long seed) {
        @Override
        public String toString() {
            return "round " + number + " (" + kind + ")";
        }
    }

    private final Random random;
    private final List<Kind> ahead = new ArrayList<>();
    private long number;

    SoakPlan(long seed) {
        random = new Random(seed);
    }

    Turn next() {
        if (ahead.isEmpty()) {
            ahead.addAll(List.of(Kind.values()));
            Collections.shuffle(ahead, random);
        }
        return new Turn(++number, ahead.removeLast(), random.nextLong());
    }
}
