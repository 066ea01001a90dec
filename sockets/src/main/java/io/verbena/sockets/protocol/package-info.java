/// The protocol of rsockets, version 1: what two ends tell each other, and when. No threads, no locks, no sockets.
package io.verbena.sockets.protocol;
