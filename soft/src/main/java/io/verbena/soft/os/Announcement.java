package io.verbena.soft.os;

/// What a process says of a device in [DeviceDirectory]: where its memory is, to be opened by [SealedMemory#open].
///
/// Any user of the host can have said it, so nothing in it is known to be true before the memory is open.
public record Announcement(long pid, int memoryFd, long nonce) {}
