package io.verbena.tools.demo;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Half a sentence for each step of the demo: what it does, or why it matters. A step that comes again gets none, but
/// for the first step of a second connection.
final class StepNotes {
    private record Note(String step, String first, String again) {
        Note(String step, String first) {
            this(step, first, "");
        }
    }

    /// By a part of the step's text.
    private static final List<Note> NOTES = List.of(
            new Note(" listens on ", "waits for clients, as a TCP server does"),
            new Note("ADDR_RESOLVED", "found a device towards the server", "a second connection, to measure on"),
            new Note("ROUTE_RESOLVED", "found the path: a queue pair can be made"),
            new Note(" has the device of ", "each process has a device of its own"),
            new Note("post RECEIVE", "a place for a message, before it can come"),
            new Note("CONNECT_REQUEST", "the client asks: the server makes a queue pair"),
            new Note("ESTABLISHED", "the two queue pairs are connected"),
            new Note("post SEND", "where the peer may write, and with which key"),
            new Note("completed SEND", "the peer has it: the buffer is free again"),
            new Note("completed RECEIVE", "the peer's message is in the place for it"),
            new Note("peer's buffer", "all that WRITE and READ need to know"),
            new Note("post RDMA WRITE", "into the server's memory; its program takes no part"),
            new Note("completed RDMA WRITE", "the bytes are there; the server was not told"),
            new Note("post RDMA READ", "and back, again without the server's program"),
            new Note("completed RDMA READ", "a copy of the server's memory is here"),
            new Note("read back", "so both ways carried every byte"),
            new Note("DISCONNECTED", "the connection is over, for both sides"),
            new Note("arrived as expected", "the server looks into its memory only now"),
            new Note("round trips of", "latency: one message there, one back"),
            new Note("round trips done", "the first table compares them with TCP"),
            new Note("opened to the client", "registered once, for all WRITEs to come"),
            new Note("RDMA WRITEs of", "bandwidth; further rounds are not shown"),
            new Note("bytes verified", "the server compares every byte, each round"),
            new Note("stream done", "the second table compares it with datagrams"));

    /// Of those only the first is shown: the rounds are alike, and the tables have them all.
    private static final Set<String> ROUNDS = Set.of("RDMA WRITEs of", "bytes verified");

    private final Set<String> seen = new HashSet<>();

    /// Whether to leave out a step, which is one more round of what was shown.
    boolean isFurtherRound(String text) {
        return ROUNDS.stream().anyMatch(step -> text.contains(step) && seen.contains(step));
    }

    /// The note for the next step; empty when there is nothing to say.
    String next(String text) {
        for (Note note : NOTES) {
            if (text.contains(note.step)) {
                return seen.add(note.step) ? note.first : note.again;
            }
        }
        return "";
    }
}
