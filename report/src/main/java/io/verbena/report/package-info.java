/// Reports: text tables, JSON, charts in SVG, pages in HTML, and the files that hold them.
package io.verbena.report;
