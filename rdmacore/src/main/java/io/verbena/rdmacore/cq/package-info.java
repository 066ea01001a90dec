/// Completion queues, their channels, and asynchronous events.
package io.verbena.rdmacore.cq;
