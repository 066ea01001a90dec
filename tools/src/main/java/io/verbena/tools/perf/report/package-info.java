/// Reports of `verbena perf`: tables, JSON, plots and comparisons of results. The module `io.verbena.report` draws
/// them.
package io.verbena.tools.perf.report;
