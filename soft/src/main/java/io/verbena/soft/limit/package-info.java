/// How much a software device takes: its limits, and the count of what it has.
package io.verbena.soft.limit;
