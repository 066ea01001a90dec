package io.verbena.soft.cm;

import io.verbena.soft.OverSharedMemory;

class SynchronousEndToEndOverSharedMemoryTest extends SynchronousEndToEndTest implements OverSharedMemory {}
