package io.verbena.soft.shm;

import java.io.IOException;
import java.lang.foreign.ValueLayout;

/// Another process: shares a file under a key, says its name, and ends with its input.
final class Neighbour {
    private Neighbour() {}

    public static void main(String[] arguments) throws IOException {
        SharedFolder folder = SharedFolder.ofThisProcess();
        SharedFile file = folder.create("ring", 4096);
        folder.createBell("bell");
        file.memory().set(ValueLayout.JAVA_LONG, 8, 4711);
        folder.announce(arguments[0], "ring");
        new ProcessBuilder("sleep", "60").start(); // must not inherit the lock
        System.out.println(folder.process());
        while (System.in.read() >= 0) {
            Thread.onSpinWait();
        }
    }
}
