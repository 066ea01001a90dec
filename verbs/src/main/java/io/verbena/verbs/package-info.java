/// The verbs: devices, protection domains, memory, queues, work requests and completions.
///
/// Start at [Rdma], then [Context], [QueuePair] and [CompletionQueue].
package io.verbena.verbs;
