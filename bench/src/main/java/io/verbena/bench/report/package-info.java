/// The output of `./verbena bench`: tables on the terminal, JSON, and a page with bars and curves.
package io.verbena.bench.report;
