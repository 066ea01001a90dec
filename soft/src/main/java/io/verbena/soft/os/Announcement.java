package io.verbena.soft.os;

/// An entry of [DeviceDirectory]: where the memory of a device is, to be opened by [SealedMemory#open].
///
/// Any user of the host can have written it, so it is not trusted before the memory is open.
public record Announcement(long pid, int memoryFd, long nonce) {}
