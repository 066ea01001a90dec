package io.verbena.soft.os;

import io.verbena.verbs.RdmaException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;

/// Opens the file behind a descriptor of another process, through `/proc/PID/fd/N`.
///
/// Any user may have announced the number, and the process id may have been reused. So the file is first opened with
/// `O_PATH`, which has no effect on it. It is really opened only when it is the expected file and belongs to the user
/// of this process. The check of the user is for root, which can open the descriptors of all users.
final class NeighbourDescriptor {
    private static final String OWN = "/proc/self/fd/";

    private NeighbourDescriptor() {}

    /// @param verb the operation, as errors name it
    /// @param isExpected whether a link target of `/proc/PID/fd` is that of the expected file
    /// @return a descriptor of this process that the caller closes
    static int open(String verb, long pid, int fd, int flags, Predicate<String> isExpected) {
        int named = require(verb, DescriptorCalls.open("/proc/" + pid + "/fd/" + fd, DescriptorCalls.O_PATH));
        try {
            check(verb, Path.of(OWN + named), isExpected);
            return require(verb, DescriptorCalls.open(OWN + named, flags));
        } finally {
            DescriptorCalls.close(named);
        }
    }

    private static void check(String verb, Path link, Predicate<String> isExpected) {
        try {
            String target = Files.readSymbolicLink(link).toString();
            if (!isExpected.test(target)) {
                throw Errors.wrongFile(verb, target);
            }
            if (!Files.getAttribute(link, "unix:uid").equals(DescriptorCalls.user())) {
                throw Errors.denied(verb);
            }
        } catch (IOException e) {
            throw new RdmaException(verb, Errors.ENOENT, "cannot read " + link + " (" + e + "); mount /proc", e);
        }
    }

    private static int require(String verb, int fd) {
        if (fd < 0) {
            throw Errors.open(verb, -fd);
        }
        return fd;
    }
}
