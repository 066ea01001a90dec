/// `verbena ping`: sends a message and gets it back, with nine modes of waiting.
///
/// | step | class |
/// |---|---|
/// | what client and server agree on | [PingParameters] |
/// | connecting: three modes of waiting for CM events | [EventWait]: [ConnectionEvents], [ThreadEvents],
/// [ChannelEvents]
/// |
/// | waiting for completions: three modes | [CompletionWait]: [io.verbena.tools.program.Waiting], [PollWaiting] |
/// | memory, queues and requests | [PingQueuePair] |
/// | the client, from resolving to disconnecting | [PingClient], [PingSession] |
/// | the server | [PingServer], [PingService] |
///
/// Start with [PingSession], then [PingService].
package io.verbena.tools.ping;
