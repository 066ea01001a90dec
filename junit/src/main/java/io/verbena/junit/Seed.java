package io.verbena.junit;

import java.util.Random;

/// The seed of a test's random numbers: a new number for each test, unless the system property `verbena.test.seed`
/// gives it. A test that fails prints it.
///
/// ```java
/// @Test
/// void shouldSortAnything(Seed seed) {
///     int[] numbers = seed.random().ints(100).toArray();
/// }
/// ```
public record Seed(long value) {
    /// The system property that gives the seed, to repeat a test.
    public static final String PROPERTY = "verbena.test.seed";

    static Seed next() {
        String text = System.getProperty(PROPERTY, "").trim();
        try {
            return new Seed(text.isEmpty() ? new Random().nextLong() : Long.decode(text));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "system property " + PROPERTY + " is \"" + text + "\"; give a whole number", e);
        }
    }

    /// Random numbers that are the same for the same seed.
    public Random random() {
        return new Random(value);
    }

    /// The option that repeats the test with the same seed.
    String option() {
        return "-D" + PROPERTY + "=" + value;
    }
}
