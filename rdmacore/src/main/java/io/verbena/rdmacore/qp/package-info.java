/// Queue pairs: making and changing them, and posting requests.
///
/// A request is a C struct that is filled in by its setters and handed to the driver as it is. [PostQueue] posts; the
/// queues of a queue pair, and shared receive queues, are made of it.
package io.verbena.rdmacore.qp;
