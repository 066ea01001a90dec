package io.verbena.soft.cm;

/// Something of a peer, named by a number that the peer chose: a communication id or a queue pair. The address
/// belongs to the key, so that nobody can take another host's place by quoting its GUID.
record RemoteKey(int number, long guid, long addressHigh, long addressLow) {}
