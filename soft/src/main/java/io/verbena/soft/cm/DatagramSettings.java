package io.verbena.soft.cm;

/// What one side of a datagram service says; checked.
record DatagramSettings(int qpNumber, byte[] privateData) {}
