/// The parts of a RoCEv2 packet: opcodes and their headers, sequence numbers, acknowledgements and the ICRC.
package io.verbena.roce.packet;
