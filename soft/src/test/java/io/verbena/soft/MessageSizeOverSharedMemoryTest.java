package io.verbena.soft;

class MessageSizeOverSharedMemoryTest extends MessageSizeTest implements OverSharedMemory {}
