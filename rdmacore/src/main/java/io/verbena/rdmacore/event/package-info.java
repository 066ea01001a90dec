/// Waiting for events on file descriptors, so that closing and interrupting work from any thread.
package io.verbena.rdmacore.event;
