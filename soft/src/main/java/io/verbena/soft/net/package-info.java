/// Wires, by which devices send and receive packets.
package io.verbena.soft.net;
