/// The common parts of the programs. What is left in each program is its own use of the verbs.
///
/// | class | what it is for |
/// |---|---|
/// | [ProgramOptions] | HOST and the options that all programs have; picks the device, makes connection ids |
/// | [Usage], [PeerTimeout] | `--help`, errors of usage and `--timeout`, also for commands with options of their own |
/// | [ProgramServer] | listens with the connection manager and serves clients, one (`--once`) or all at once |
/// | [SideServer], [SideChannel] | the same with TCP, for programs that connect queue pairs by hand |
/// | [PeerDevice] | the open device that reaches such a peer, and its GID |
/// | [QueuePairSteps] | the states of a queue pair without the connection manager |
/// | [ProgramConnection] | memory, completion queue and queue pair of one side, and requests by their purpose |
/// | [CompletionLoop] | polls until a condition holds, the peer is gone or the timeout is over |
/// | [Waiting] | how a thread waits: spinning, or asleep on a completion channel |
/// | [Statistics] | what `--stats` prints: completions, rates, round trip, user and kernel time |
/// | [Output] | lines for people or JSON for programs; [Progress] on long runs |
/// | [Result] | the result of one connection, for `--json` |
/// | [PrintablePattern] | the content of messages that are verified |
/// | [ClientThreads] | the threads of a server, one for each client |
/// | [Owned] | closes what a program opened, newest first |
/// | [Refusal] | the reason that a server gives a client it does not take |
/// | [ConnectNotice] | what a client waits for while nobody answers it |
/// | [ConnectFailure] | why a client could not connect, and what to do about it |
/// | [Goodbye] | disconnects when the work is done |
/// | [RunningServers] | where on this host the same program runs |
/// | [ProgramException] | what went wrong, in one line for people |
///
/// A program is a command with a [ProgramOptions] as mixin:
///
/// ```java
/// public Integer call() {
///     return options.run(() -> {
///         if (options.isServer()) {
///             ProgramServer.serve(options, PORT, id -> new PingServer(settings, options).serve(id));
///         } else {
///             new PingClient(settings, options).run();
///         }
///     });
/// }
/// ```
package io.verbena.tools.program;
