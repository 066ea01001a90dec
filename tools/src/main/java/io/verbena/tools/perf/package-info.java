/// `verbena perf`: measures SEND, WRITE, READ and atomics between two processes, in the protocol of perftest 6.06, so
/// that either side may be one of its programs.
///
/// A way through it: [io.verbena.tools.perf.Session] is one run from the greeting on.
/// [io.verbena.tools.perf.Endpoint] makes the verbs objects and connects the queue pairs,
/// [io.verbena.tools.perf.Lane] has the requests, and one [io.verbena.tools.perf.Loop] for each test and side
/// posts and polls.
///
/// Two Verbena sides know each other by what they hide behind the end of the version string in their
/// [io.verbena.tools.perf.Greeting]. Then the client sends its parameters
/// ([io.verbena.tools.perf.ParameterBlock]), and leads through the phases
/// ([io.verbena.tools.perf.VerbenaPhases]): they warm up with each other. With a C peer the exchanges are
/// exactly those of its program ([io.verbena.tools.perf.PerftestPhases]), every message counts there, and so
/// the warm-up runs inside this process before the C peer is answered ([io.verbena.tools.perf.WarmUp]).
///
/// Who calls what: `PerfCommand` makes [io.verbena.tools.perf.PerfParameters] of the options and runs a client
/// or a server. Each run tells a [io.verbena.tools.perf.PerfListener] how it goes:
/// `started`([io.verbena.tools.perf.PerfRun]) once both sides are connected,
/// `measured`([io.verbena.tools.perf.report.Measurement]) after each size, `finished`(trouble or null) at the end. The
/// listeners are those of package `io.verbena.tools.perf.report`: the table, the JSON and the plot are one
/// each, made by the command from its options; that package never calls back into this one, save for these data
/// types.
package io.verbena.tools.perf;
