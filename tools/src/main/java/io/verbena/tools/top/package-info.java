/// `verbena top`: all Verbena processes of this user on this host, live. An [Observer] asks the processes, a
/// [RateMeter] compares what they answered with what they answered before, and a [LiveView], a [TopServer] or the
/// command itself show the resulting [Snapshot].
package io.verbena.tools.top;
