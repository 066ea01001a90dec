/// Contracts on data that travels: every operation, its order, its failures.
package io.verbena.conformance.transfer;
