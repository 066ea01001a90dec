/// The memory that devices of one user on one host share: device pages, lanes with their rings, regions, and how
/// neighbours are found and woken, and how their end is noticed. Queue pairs use it in [io.verbena.soft.qp].
package io.verbena.soft.local;
