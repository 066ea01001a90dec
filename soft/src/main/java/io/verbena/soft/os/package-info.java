/// What the operating system and the processor give: system calls, memory that processes share, locks and fences.
package io.verbena.soft.os;
