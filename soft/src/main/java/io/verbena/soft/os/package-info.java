/// What the operating system and the processor give: system calls, memory that processes share, locks, fences and time.
package io.verbena.soft.os;
