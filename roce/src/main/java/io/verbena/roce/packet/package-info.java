/// What a RoCEv2 packet is made of: opcodes and their headers, sequence numbers, acknowledgements and the ICRC.
package io.verbena.roce.packet;
