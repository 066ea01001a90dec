package io.verbena.soft.cm;

/// The key of a peer's communication id or queue pair, whose number the peer chose. The address is part of the key, so
/// that no host can impersonate another by its GUID.
record RemoteKey(int number, long guid, long addressHigh, long addressLow) {}
