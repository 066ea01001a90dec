/// `verbena ping`: a message there, the same message back, in nine ways of waiting.
///
/// | step | class |
/// |---|---|
/// | what client and server agree on | [PingParameters] |
/// | connecting: three ways to learn what the connection manager has to say | [CmWay]: [SynchronousEvents],
/// [ThreadEvents], [PollEvents] |
/// | waiting for completions: three ways | [WaitWay]: [io.verbena.tools.program.Waiting], [PollWaiting] |
/// | memory, queues and requests | [PingQueuePair] |
/// | the client, from resolving to disconnecting | [PingClient], [PingSession] |
/// | the server | [PingServer], [PingService] |
///
/// Start with [PingSession], then [PingService].
package io.verbena.tools.ping;
