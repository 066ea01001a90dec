package io.verbena.soft.shm;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// The errors of shared memory, each with its likely cause and what to do.
final class FolderFailure {
    private FolderFailure() {}

    static RdmaException unsupported(String explanation, Throwable cause) {
        return new RdmaException("open shared memory", Errno.EOPNOTSUPP, explanation, cause);
    }

    static RdmaException unsafe(Path folder, String problem) {
        String explanation =
                "%s %s, so other users could reach this process's memory; remove it, or let its owner do so"
                        .formatted(folder, problem);
        return new RdmaException("open shared memory", Errno.EACCES, explanation);
    }

    static RdmaException call(String what, Path path, String call, int error) {
        return new RdmaException(what + " " + path, error, call + " failed; see df and ls -l of its folder", null);
    }

    static RdmaException file(String what, Path path, IOException e) {
        Errno errno = switch (e) {
            case NoSuchFileException _ -> Errno.ENOENT;
            case FileAlreadyExistsException _ -> Errno.EEXIST;
            default -> Errno.EIO;
        };
        String reason = e instanceof FileSystemException f && f.getReason() != null ? f.getReason() : e.toString();
        return new RdmaException(what + " " + path, errno, reason + "; see df and ls -l of its folder", e);
    }

    static RdmaException noRoom(Path path, long bytes, String reason) {
        String explanation = ("no room for %d bytes (%s); free memory, or give more: mount -o remount,size=BYTES"
                        + " /dev/shm, in a container --shm-size=BYTES")
                .formatted(bytes, reason);
        return new RdmaException("create shared file " + path, Errno.ENOMEM, explanation);
    }

    static RdmaException gone(String what, Path path) {
        return new RdmaException(
                what + " " + path, Errno.ENOENT, "it is not there: its process closed it, ended, or was killed");
    }

    static RdmaException badName(String what, String name) {
        String explanation =
                "the name is 1 to %d letters, digits and - _ . : that do not begin with a dot".formatted(Names.LONGEST);
        return new RdmaException(what + " '" + name + "'", Errno.EINVAL, explanation);
    }
}
