/// Reports of `verbena perf`: histograms, tables, JSON, plots and the comparing of results.
package io.verbena.tools.perf.report;
