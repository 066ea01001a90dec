package io.verbena.soft.net;

import java.util.concurrent.locks.LockSupport;

/// The state of a thread, as other threads can see it.
final class ThreadStates {
    /// How many frames at the top of a stack are searched for a sleep.
    private static final int TOP_FRAMES = 4;

    private ThreadStates() {}

    /// Whether the thread waits for another one: for a lock, a latch, a future. A sleeping thread does not: it
    /// continues by itself.
    static boolean isBlocked(Thread thread) {
        return switch (thread.getState()) {
            case BLOCKED, WAITING, TERMINATED -> true;
            case TIMED_WAITING -> LockSupport.getBlocker(thread) != null || !isAsleep(thread);
            case NEW, RUNNABLE -> false;
        };
    }

    private static boolean isAsleep(Thread thread) {
        StackTraceElement[] stack = thread.getStackTrace();
        for (int i = 0; i < stack.length && i < TOP_FRAMES; i++) {
            String method = stack[i].getMethodName();
            boolean isThreads = stack[i].getClassName().startsWith("java.lang.");
            if (isThreads && method.startsWith("sleep")) {
                return true;
            }
        }
        return false;
    }

    /// The position of a thread in its program: the line that called this library, or the JDK.
    static String place(Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (!isLibrary(frame.getClassName())) {
                return frame.getClassName() + "." + frame.getMethodName() + "(" + frame.getFileName() + ":"
                        + frame.getLineNumber() + ")";
            }
        }
        return "its start";
    }

    private static boolean isLibrary(String className) {
        return className.startsWith("java.")
                || className.startsWith("jdk.")
                || className.startsWith("io.verbena.verbs.")
                || className.startsWith("io.verbena.soft.net.")
                || className.startsWith("io.verbena.soft.wait.")
                || className.startsWith("io.verbena.soft.cq.")
                || className.startsWith("io.verbena.soft.cm.")
                || className.startsWith("io.verbena.soft.fabric.");
    }
}
