/// Waiting for events: descriptors that do not block, `poll(2)`, and closing under threads that wait.
package io.verbena.rdmacore.event;
