/// The command `./verbena bench connections`: many idle connections between two processes, and one that is measured
/// beside them.
package io.verbena.bench.connections;
