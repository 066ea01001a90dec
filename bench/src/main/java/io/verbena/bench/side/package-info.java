/// The interface between `./verbena bench` and its contestants: measurements, contestants and results.
///
/// A [io.verbena.bench.side.Contestant] does some [io.verbena.bench.side.Measurement]s and returns a
/// [io.verbena.bench.side.RunResult] for each run. It starts its processes once, as
/// [io.verbena.bench.side.Child]ren, and keeps them idle between runs.
package io.verbena.bench.side;
