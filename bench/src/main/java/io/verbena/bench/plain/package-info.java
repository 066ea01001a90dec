/// Programs without a library: sockets, and the limits of the machine itself.
package io.verbena.bench.plain;
