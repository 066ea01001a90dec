package io.verbena.verbs;

import java.util.Arrays;

/// The error numbers that verbs and the connection manager use, with Linux values.
public enum Errno {
    NONE(0, "no error"),
    EPERM(1, "operation not permitted"),
    ENOENT(2, "no such entry"),
    EINTR(4, "interrupted"),
    EIO(5, "input/output error"),
    ENXIO(6, "no such device or address"),
    E2BIG(7, "argument list too long"),
    EBADF(9, "closed"),
    EAGAIN(11, "try again"),
    ENOMEM(12, "out of memory or queue full"),
    EACCES(13, "permission denied"),
    EFAULT(14, "bad address"),
    EBUSY(16, "in use"),
    EEXIST(17, "exists already"),
    ENODEV(19, "no such device"),
    EINVAL(22, "invalid argument"),
    EMFILE(24, "too many open files"),
    ENOSPC(28, "no space left"),
    ERANGE(34, "out of range"),
    ENOSYS(38, "not implemented"),
    ENODATA(61, "no data"),
    EPROTO(71, "protocol error"),
    EOVERFLOW(75, "value too large"),
    EMSGSIZE(90, "message too long"),
    EPROTONOSUPPORT(93, "protocol not supported"),
    EOPNOTSUPP(95, "operation not supported"),
    EAFNOSUPPORT(97, "address family not supported"),
    EADDRINUSE(98, "address in use"),
    EADDRNOTAVAIL(99, "address not available"),
    ENETDOWN(100, "network down"),
    ENETUNREACH(101, "network unreachable"),
    ECONNABORTED(103, "connection aborted"),
    ECONNRESET(104, "connection reset"),
    ENOBUFS(105, "no buffer space"),
    EISCONN(106, "connected already"),
    ENOTCONN(107, "not connected"),
    ETIMEDOUT(110, "timed out"),
    ECONNREFUSED(111, "connection refused"),
    EHOSTUNREACH(113, "host unreachable"),
    EALREADY(114, "under way already"),
    EINPROGRESS(115, "in progress"),
    ESTALE(116, "stale"),
    ECANCELED(125, "cancelled"),
    /// A number without a name here; [RdmaException#errnoNumber] keeps it.
    OTHER(-1, "other error");

    private final int number;
    private final String text;

    Errno(int number, String text) {
        this.number = number;
        this.text = text;
    }

    /// The number that C programs see in `errno`.
    public int number() {
        return number;
    }

    /// The name of that number, else OTHER.
    public static Errno of(int number) {
        return Arrays.stream(values())
                .filter(e -> e.number == number)
                .findFirst()
                .orElse(OTHER);
    }

    static String describe(int number) {
        Errno errno = of(number);
        return errno == OTHER ? "errno " + number : errno.toString();
    }

    /// For example `EINVAL, invalid argument`.
    @Override
    public String toString() {
        return name() + ", " + text;
    }
}
