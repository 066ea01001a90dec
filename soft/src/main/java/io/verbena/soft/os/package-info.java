/// Access to the operating system and the processor: system calls, shared memory, locks, fences and time.
package io.verbena.soft.os;
