package io.verbena.soft;

class ProgramAttacksOverSharedMemoryTest extends ProgramAttacksTest implements OverSharedMemory {}
