package io.verbena.tools.perf;

import java.util.Arrays;
import java.util.Iterator;

/// The names that shells complete after `perf`.
final class TestNames implements Iterable<String> {
    private TestNames() {}

    @Override
    public Iterator<String> iterator() {
        return Arrays.stream(PerfTest.values()).map(PerfTest::label).iterator();
    }
}
