/// Contestants made of one or two JVMs of our own: a server and a client, started once and kept warm.
///
/// [io.verbena.bench.pair.PairContestant] runs in the benchmark, [io.verbena.bench.pair.Worker] is the program in each
/// JVM, and [io.verbena.bench.pair.BenchSide] does the work there. The benchmark gives both the number of messages, so
/// that no message is needed to end a run.
package io.verbena.bench.pair;
