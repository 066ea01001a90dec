package io.verbena.soft.os;

import io.verbena.verbs.RdmaException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;

/// Opens what is behind a file descriptor of another process, through `/proc/PID/fd/N`.
///
/// The number may have come from anybody, and the process may meanwhile be another one. So the file is only named at
/// first, which has no effect on it; only when it is the one that was meant, and belongs to the user of this process,
/// is it opened. The owner matters to root, to whom the system shows the descriptors of all users.
final class NeighbourDescriptor {
    private static final String OWN = "/proc/self/fd/";

    private NeighbourDescriptor() {}

    /// @param verb what fails, in errors
    /// @param isMeant whether a link target of `/proc/PID/fd` is that of the right file
    /// @return a descriptor of this process that the caller closes
    static int open(String verb, long pid, int fd, int flags, Predicate<String> isMeant) {
        int named = require(verb, DescriptorCalls.open("/proc/" + pid + "/fd/" + fd, DescriptorCalls.O_PATH));
        try {
            check(verb, Path.of(OWN + named), isMeant);
            return require(verb, DescriptorCalls.open(OWN + named, flags));
        } finally {
            DescriptorCalls.close(named);
        }
    }

    private static void check(String verb, Path link, Predicate<String> isMeant) {
        try {
            String target = Files.readSymbolicLink(link).toString();
            if (!isMeant.test(target)) {
                throw Errors.notMeant(verb, target);
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
