/// Measures what reports show: latencies, CPU time and allocated bytes.
package io.verbena.report.measure;
