package io.verbena.bench.side;

import java.time.Duration;
import java.util.Optional;

/// Somebody who takes part in the benchmark. One thread at a time calls it, with a deadline: when that is over the
/// thread is interrupted and [#close] is called from another one, which must end all processes.
public interface Contestant extends AutoCloseable {
    /// As goals and reports call it: one of [Names].
    String name();

    /// Empty when it can run here; else one line that says why not, and the command that helps:
    /// `apt install ucx-utils`.
    Optional<String> missing();

    boolean can(Measurement measurement);

    /// Starts what it needs, such as processes that stay for the whole run. Called once before the first run, and
    /// again after a failure. Afterwards it sleeps: whoever is not measured must not use a processor.
    default void open() throws Exception {}

    /// Gets compilers and caches ready for a measurement, for about as long as `time`. Called once for each
    /// before the first counted round (and after each [#open]). Programs in C need none.
    default void warmUp(Measurement measurement, Duration time) throws Exception {}

    /// How often it wants each measurement warmed up, one after the other: what is compiled for one may be given up
    /// for the next.
    default int warmUps() {
        return 1;
    }

    /// Measures for about as long as `time`. What it throws is reported, and it is opened anew.
    Result run(Measurement measurement, Duration time) throws Exception;

    /// More to know about the results, such as a version: printed in the report.
    default String remark() {
        return "";
    }

    /// Ends all it started; also when it was never opened, twice, or while another thread is in [#run].
    @Override
    void close();
}
