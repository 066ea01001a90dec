/// Verbena as a contestant: programs that use the verbs as users do, between two JVMs connected by the connection
/// manager, over UDP or shared memory.
package io.verbena.bench.ours;
