/// Contracts on queue pairs, completion queues, channels and memory: what the calls themselves promise.
package io.verbena.conformance.queue;
