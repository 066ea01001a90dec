/// The memory that devices of one user on one host share: device pages, lanes with their rings, regions, and how
/// neighbours are found, woken and missed. What the queue pairs do with it is in [io.verbena.soft.qp].
package io.verbena.soft.local;
