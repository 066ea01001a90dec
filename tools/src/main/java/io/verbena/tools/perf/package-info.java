/// `verbena perf`: measures SEND, WRITE, READ and atomics between two processes, in the protocol of perftest 6.06, so
/// that
/// either side may be one of its programs.
///
/// Who calls what: `PerfCommand` makes [io.verbena.tools.perf.PerfParameters] of the options and runs a client or a
/// server. Each run tells a
/// [io.verbena.tools.perf.PerfListener] how it goes: `started`([io.verbena.tools.perf.PerfRun]) once both sides are
/// connected,
/// `measured`([io.verbena.tools.perf.report.Measurement]) after each size, `finished`(trouble or null) at the end. The
/// listeners are those of
/// package `io.verbena.tools.perf.report`: the table, the JSON and the plot are one each, made by the command from its
/// options; that package never calls back into this one, save for these data types.
package io.verbena.tools.perf;
