/// `doctor`: looks for what keeps RDMA from working here, and says what to do. To add a check, write a class like
/// [MemlockCheck] and put it into the list of [Checkup].
package io.verbena.tools.doctor;
