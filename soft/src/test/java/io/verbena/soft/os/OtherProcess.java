package io.verbena.soft.os;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.verbena.soft.rig.ChildJvm;
import io.verbena.verbs.attr.Gid;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// Another process with memory, a bell and an announcement: prints where they are, then follows commands on its input.
final class OtherProcess {
    static final Gid GID = new Gid(0x7E57_0000_0000_0001L, 0x1234L);
    static final long BYTES = 10_000;
    static final long WRITTEN_AT = 8;
    static final long WRITTEN = 4711;
    static final long ANSWER_AT = 16;
    static final String LOOK = "look";
    static final String WAIT = "wait";
    static final String WAITING = "waiting";
    static final String WOKEN = "woken";
    static final String CLOSE_MEMORY = "close memory";
    static final String CLOSE_BELL = "close bell";
    static final String DONE = "done";
    private static final short POLLIN = 1;
    private static final int WAIT_MS = 60_000;

    /// The process, and the descriptors and nonce of its memory and bell.
    record Place(long pid, int memoryFd, long nonce, int ringFd) {
        static Place of(ChildJvm child) throws IOException {
            String[] words = child.line().split(" ");
            return new Place(
                    Long.parseLong(words[0]),
                    Integer.parseInt(words[1]),
                    Long.parseLong(words[2]),
                    Integer.parseInt(words[3]));
        }
    }

    private OtherProcess() {}

    public static void main(String[] arguments) throws Throwable {
        SealedMemory memory = SealedMemory.create(BYTES, true);
        memory.memory().set(JAVA_LONG, WRITTEN_AT, WRITTEN);
        Bell bell = Bell.create();
        DeviceDirectory announced = DeviceDirectory.announce(GID, memory.fd(), memory.nonce());
        new ProcessBuilder("sleep", "60").start(); // outlives this process, and must not inherit anything
        String place =
                "%d %d %d %d".formatted(ProcessHandle.current().pid(), memory.fd(), memory.nonce(), bell.ringFd());
        System.out.println(place);
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            switch (line) {
                case LOOK -> System.out.println(memory.memory().get(JAVA_LONG, ANSWER_AT));
                case WAIT -> waitFor(bell);
                case CLOSE_MEMORY -> {
                    memory.closeDescriptor();
                    System.out.println(DONE);
                }
                case CLOSE_BELL -> {
                    bell.close();
                    System.out.println(DONE);
                }
                default -> throw new IllegalArgumentException(line);
            }
        }
        announced.close();
    }

    private static void waitFor(Bell bell) throws Throwable {
        var poll = CLibrary.plainFunction("poll", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
        MemorySegment element = Arena.global().allocate(8, 8);
        element.set(JAVA_INT, 0, bell.fd());
        element.set(JAVA_SHORT, 4, POLLIN);
        System.out.println(WAITING);
        int ready = (int) poll.invokeExact(element, 1L, WAIT_MS);
        bell.silence();
        int left = (int) poll.invokeExact(element, 1L, 0);
        System.out.println(ready == 1 && left == 0 ? WOKEN : "poll returned " + ready + " and " + left);
    }
}
