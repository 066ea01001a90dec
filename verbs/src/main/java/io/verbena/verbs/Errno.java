package io.verbena.verbs;

import java.util.Arrays;

/// The error numbers that verbs and the connection manager use, with Linux values.
public enum Errno {
    NONE(0, "no error"),
    EPERM(1, "operation not permitted"),
    ENOENT(2, "no such entry"),
    EINTR(4, "interrupted"),
    EIO(5, "input/output error"),
    EAGAIN(11, "try again"),
    ENOMEM(12, "out of memory or queue full"),
    EACCES(13, "permission denied"),
    EFAULT(14, "bad address"),
    EBUSY(16, "in use"),
    ENODEV(19, "no such device"),
    EINVAL(22, "invalid argument"),
    ENOSPC(28, "no space left"),
    ENOSYS(38, "not implemented"),
    ENODATA(61, "no data"),
    EPROTO(71, "protocol error"),
    EBADF(9, "closed"),
    EMSGSIZE(90, "message too long"),
    EOPNOTSUPP(95, "operation not supported"),
    EADDRINUSE(98, "address in use"),
    EADDRNOTAVAIL(99, "address not available"),
    ENETUNREACH(101, "network unreachable"),
    ECONNRESET(104, "connection reset"),
    ENOTCONN(107, "not connected"),
    ETIMEDOUT(110, "timed out"),
    ECONNREFUSED(111, "connection refused"),
    EHOSTUNREACH(113, "host unreachable"),
    OTHER(-1, "other error");

    private final int number;
    private final String text;

    Errno(int number, String text) {
        this.number = number;
        this.text = text;
    }

    public int number() {
        return number;
    }

    public static Errno of(int number) {
        return Arrays.stream(values())
                .filter(e -> e.number == number)
                .findFirst()
                .orElse(OTHER);
    }

    /// For example `EINVAL, invalid argument`.
    @Override
    public String toString() {
        return name() + ", " + text;
    }
}
