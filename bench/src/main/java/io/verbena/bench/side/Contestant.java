package io.verbena.bench.side;

import java.time.Duration;
import java.util.Optional;

/// A contestant of the benchmark. One thread at a time calls it, with a deadline. After the deadline the thread is
/// interrupted and [#close] is called from another one, which must end all processes.
public interface Contestant extends AutoCloseable {
    /// The name in goals and reports: one of [Names].
    String name();

    /// Empty when it can run here; else one line with the reason, and the command that helps: `apt install ucx-utils`.
    Optional<String> missing();

    boolean can(Measurement measurement);

    /// Starts processes and other things that last for the whole run. Called once before the first run, and again after
    /// a failure. Afterwards it sleeps: a contestant that is not measured must not use a processor.
    default void open() throws Exception {}

    /// Warms up compilers and caches for a measurement, for about `time`. Called once for each measurement before the
    /// first counted round (and after each [#open]). Programs in C need none.
    default void warmUp(Measurement measurement, Duration time) throws Exception {}

    /// How often all measurements are to be warmed up, one after the other: the code that is compiled for one may be
    /// deoptimized by the next.
    default int warmUps() {
        return 1;
    }

    /// Measures for about `time`. An exception is reported, and the contestant is opened again.
    RunResult run(Measurement measurement, Duration time) throws Exception;

    /// A remark on the results, such as a version, for the report.
    default String remark() {
        return "";
    }

    /// Ends everything it started; also when it was never opened, twice, or while another thread is in [#run].
    @Override
    void close();
}
