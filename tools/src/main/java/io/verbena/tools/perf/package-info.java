/// `verbena perf`: measures SEND, WRITE, READ and atomics between two processes, in the protocol of perftest 6.06, so
/// that either side may be one of its programs.
///
/// Where to start: [io.verbena.tools.perf.PerfSession] is one run from the greeting on.
/// [io.verbena.tools.perf.PerfEndpoint] makes the verbs objects and connects the queue pairs,
/// [io.verbena.tools.perf.MeasuredQueuePair] has the requests, and one [io.verbena.tools.perf.MeasuringLoop] for each
/// test and side posts and polls.
///
/// Two Verbena sides recognize each other by the name behind the version string in the
/// [io.verbena.tools.perf.Greeting]. Then the client sends its parameters ([io.verbena.tools.perf.ParameterBlock]) and
/// leads through the phases ([io.verbena.tools.perf.VerbenaPhases]), which begin with a warm-up. With a C peer the
/// exchanges are exactly those of its program ([io.verbena.tools.perf.PerftestPhases]), and every message counts. So
/// the warm-up runs inside this process before the C peer gets an answer ([io.verbena.tools.perf.WarmUp]).
///
/// `PerfCommand` makes [io.verbena.tools.perf.PerfParameters] of the options and runs a client or a server. Each run
/// calls a [io.verbena.tools.perf.PerfListener]: `started`([io.verbena.tools.perf.PerfRun]) once both sides are
/// connected, `measured`([io.verbena.tools.perf.report.Measurement]) after each size, `finished`(trouble or null) at
/// the end. The listeners are in package `io.verbena.tools.perf.report`: table, JSON and plot. The command creates them
/// from its options. That package uses only the data types of this one.
package io.verbena.tools.perf;
