/// Reports of `verbena perf`: histograms, tables, JSON, plots and comparisons of results.
package io.verbena.tools.perf.report;
