package io.verbena.soft.cm;

import io.verbena.soft.OverSharedMemory;

class EventChannelEndToEndOverSharedMemoryTest extends EventChannelEndToEndTest implements OverSharedMemory {}
