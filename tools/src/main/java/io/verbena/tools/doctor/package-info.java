/// `doctor`: finds what keeps RDMA from working here, and says what to do. To add a check, write a class like
/// [MemlockCheck] and add it to the list of [Checkup].
package io.verbena.tools.doctor;
