package io.verbena.soft.os;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;

/// The system's error numbers that this package distinguishes, with their remedies.
final class Errors {
    static final int EPERM = 1;
    static final int ENOENT = 2;
    static final int ESRCH = 3;
    static final int EINTR = 4;
    static final int EAGAIN = 11;
    static final int ENXIO = 6;
    static final int ENOMEM = 12;
    static final int EACCES = 13;
    static final int EINVAL = 22;
    static final int ENFILE = 23;
    static final int EMFILE = 24;
    static final int EFBIG = 27;
    static final int ENOSPC = 28;
    static final int ENOSYS = 38;

    private Errors() {}

    /// The error of a call that creates something in this process: memory, a pipe, a name.
    static RdmaException make(String verb, String call, int error) {
        return switch (error) {
            case ENOMEM, ENOSPC -> noRoom(verb, call + " finds too little memory; ask for less, or free memory");
            case EFBIG ->
                noRoom(verb, "that is more than a file may have; ask for less, or raise the limit (ulimit -f)");
            case EMFILE ->
                noRoom(verb, "this process has too many open files; close some, or raise the limit (ulimit -n)");
            case ENFILE ->
                noRoom(verb, "this host has too many open files; end some programs, or raise sysctl fs.file-max");
            case EPERM, EACCES, ENOSYS ->
                new RdmaException(
                        verb,
                        error,
                        call + " is not permitted here; let the container's seccomp or security profile allow it",
                        null);
            default -> new RdmaException(verb, error, call + " failed; see man " + call, null);
        };
    }

    /// The result of such a call; throws when it failed.
    static int require(String verb, String call, int result) {
        if (result < 0) {
            throw make(verb, call, -result);
        }
        return result;
    }

    static RdmaException noRoom(String verb, String explanation) {
        return new RdmaException(verb, Errno.ENOMEM, explanation);
    }

    /// A descriptor of another process could not be opened.
    static RdmaException open(String verb, int error) {
        return switch (error) {
            case ENOENT, ESRCH, ENXIO -> gone(verb);
            case EPERM, EACCES -> denied(verb);
            case ENOMEM, EMFILE, ENFILE -> make(verb, "open", error);
            default -> new RdmaException(verb, error, "open failed; see man 2 open", null);
        };
    }

    static RdmaException gone(String verb) {
        return new RdmaException(
                verb,
                Errno.ENOENT,
                "the process has ended, has closed it, or cannot be seen from here;"
                        + " run both processes in one PID namespace, with /proc mounted");
    }

    static RdmaException denied(String verb) {
        return new RdmaException(
                verb,
                Errno.EACCES,
                "the system does not permit access to the other process: it belongs to another user, is not"
                        + " dumpable, has more capabilities, or /proc is mounted with hidepid; run both as the same"
                        + " user with the same capabilities");
    }

    static RdmaException wrongFile(String verb, String found) {
        return new RdmaException(
                verb,
                Errno.EINVAL,
                "found " + found + " instead of the expected file, so the process id is that of another process;"
                        + " run both processes in one PID namespace");
    }
}
