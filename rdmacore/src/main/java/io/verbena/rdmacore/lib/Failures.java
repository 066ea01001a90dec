package io.verbena.rdmacore.lib;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/// Makes exceptions for calls that the libraries refuse: the verb, the values, the likely cause and the remedy.
///
/// The kernel returns only an error number, so the cause is a guess by subject and number; the table below holds the
/// guesses.
public final class Failures {
    /// The subject of a call, which decides what its error number probably means.
    public enum Subject {
        DEVICE,
        QUERY,
        MEMORY,
        QUEUE,
        QUEUE_PAIR,
        STATE,
        POST,
        EVENT,
        CONNECTION
    }

    private record Guess(Subject subject, Errno errno, String text) {}

    /// The subjects that take locked memory.
    private static final Set<Subject> LOCKING = EnumSet.of(Subject.MEMORY, Subject.QUEUE, Subject.QUEUE_PAIR);

    private static final String PERMISSION = "no permission for the device files; let the user read and write"
            + " /dev/infiniband/* (udev's default mode is 0666, containers need --device=/dev/infiniband)";
    private static final String GONE = "the device is gone; look at `rdma link` and the kernel log";
    private static final List<Guess> GUESSES = List.of(
            new Guess(null, Errno.EACCES, PERMISSION),
            new Guess(null, Errno.EPERM, PERMISSION),
            new Guess(null, Errno.EIO, GONE),
            new Guess(null, Errno.ENODEV, GONE),
            new Guess(null, Errno.EMFILE, "this process has too many open files; raise the limit (ulimit -n)"),
            new Guess(null, Errno.EOPNOTSUPP, "the device or its driver does not do this"),
            new Guess(null, Errno.ENOSYS, "the device or its driver does not do this"),
            new Guess(
                    Subject.DEVICE,
                    Errno.ENOENT,
                    "the device has no file under /dev/infiniband; load the kernel module ib_uverbs"),
            new Guess(Subject.DEVICE, Errno.ENOSYS, "the kernel has no RDMA support; load the kernel module ib_uverbs"),
            new Guess(
                    Subject.MEMORY,
                    Errno.EINVAL,
                    "check the rights: REMOTE_WRITE and REMOTE_ATOMIC need LOCAL_WRITE, and the device must know"
                            + " each of them"),
            new Guess(
                    Subject.MEMORY,
                    Errno.EFAULT,
                    "not all of this memory can be written; memory mapped read-only can be registered for reading"
                            + " only"),
            new Guess(
                    Subject.QUEUE,
                    Errno.EINVAL,
                    "the size is 0 or more than the device has; Context.attributes() tells the limits"),
            new Guess(
                    Subject.QUEUE_PAIR,
                    Errno.EINVAL,
                    "a size is more than the device has, or the device does not have this type;"
                            + " Context.attributes() tells the limits"),
            new Guess(
                    Subject.POST,
                    Errno.EINVAL,
                    "the driver takes the request for malformed; is the operation one that this type of queue pair"
                            + " has, and what an atomic reaches aligned to 8 bytes?"),
            new Guess(
                    Subject.STATE,
                    Errno.EINVAL,
                    "an attribute is outside what the device takes: the GID index must be a used row of the port's"
                            + " table (Context.gids), the port active, the MTU not above the port's"),
            new Guess(
                    Subject.STATE,
                    Errno.ENETUNREACH,
                    "no route to the peer's address from this device; is the peer's GID right, and the link up?"),
            new Guess(
                    Subject.STATE,
                    Errno.EHOSTUNREACH,
                    "no answer from the peer's address; is the peer's GID right, and the link up?"),
            new Guess(
                    Subject.STATE,
                    Errno.ETIMEDOUT,
                    "the address of the peer could not be resolved; is the peer's GID right, and the link up?"),
            new Guess(
                    Subject.STATE, Errno.ENODATA, "the GID index names an empty row; Context.gids tells the used ones"),
            new Guess(
                    Subject.QUERY,
                    Errno.EINVAL,
                    "no such port or table row; ports count from 1, and Context.port tells the lengths of the tables"),
            new Guess(Subject.QUERY, Errno.ENODATA, "that row of the GID table is empty"),
            new Guess(
                    Subject.CONNECTION,
                    Errno.ENODEV,
                    "no adapter serves that address; `verbena devices` tells which do, and the kernel module rdma_ucm"
                            + " must be loaded; -Dverbena.provider=soft uses the software device"),
            new Guess(
                    Subject.CONNECTION,
                    Errno.ENOENT,
                    "/dev/infiniband/rdma_cm is missing; load the kernel module rdma_ucm"),
            new Guess(Subject.CONNECTION, Errno.EADDRINUSE, "another listener has this port"),
            new Guess(
                    Subject.CONNECTION,
                    Errno.EADDRNOTAVAIL,
                    "no adapter has this address; is its interface up? -Dverbena.provider=soft uses the software device"),
            new Guess(
                    Subject.CONNECTION,
                    Errno.EINVAL,
                    "not possible in the state this connection is in, or a parameter is outside its range"));

    private Failures() {}

    /// The exception for a call that failed with that error number (negated or not).
    public static RdmaException of(Subject subject, String verb, int errnoNumber) {
        return of(subject, verb, errnoNumber, "");
    }

    /// As [#of(Subject, String, int)], with what is known beside the number.
    public static RdmaException of(Subject subject, String verb, int errnoNumber, String detail) {
        int number = Math.abs(errnoNumber);
        String guess = explain(subject, number);
        String text = detail.isEmpty() ? guess : detail + "; " + guess;
        return new RdmaException(verb, number, text, null);
    }

    /// The likely cause and remedy.
    public static String explain(Subject subject, int number) {
        Errno errno = Errno.of(number);
        if (errno == Errno.ENOMEM && LOCKING.contains(subject)) {
            return lockedMemory(Libc.lockedMemoryLimit());
        }
        String text = "the kernel or the driver refused it; its log (dmesg) may tell more";
        for (Guess guess : GUESSES) {
            if (guess.errno == errno && (guess.subject == null || guess.subject == subject)) {
                text = guess.text; // one of the subject's own comes later in the table
            }
        }
        return text;
    }

    static String lockedMemory(OptionalLong limit) {
        if (limit.isEmpty()) {
            return "the kernel or the device has no memory left for it; the limit of locked memory is not the cause,"
                    + " there is none";
        }
        return ("this process may lock %d KiB of memory, and registered memory is locked; raise the limit"
                        + " (ulimit -l unlimited, memlock in /etc/security/limits.conf, LimitMEMLOCK= of a systemd"
                        + " service, --ulimit memlock=-1 of a container)")
                .formatted(limit.getAsLong() / 1024);
    }
}
