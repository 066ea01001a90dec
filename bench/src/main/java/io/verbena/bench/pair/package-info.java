/// Contestants made of one or two JVMs of our own: a server and a client, started once and kept warm.
///
/// [io.verbena.bench.pair.PairContestant] is the side of the benchmark, [io.verbena.bench.pair.Worker] the program
/// in each JVM, [io.verbena.bench.pair.Side] what it does there. The benchmark tells both how many messages to
/// exchange, so that no message is needed to end a run.
package io.verbena.bench.pair;
