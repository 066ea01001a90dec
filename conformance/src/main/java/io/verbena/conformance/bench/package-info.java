/// The tools of the contracts: a pair of devices, connected queue pairs, deadlines and bytes to compare.
package io.verbena.conformance.bench;
