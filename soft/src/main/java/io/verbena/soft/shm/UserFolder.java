package io.verbena.soft.shm;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;

/// Makes folders that only their owner can enter, and checks that they are so.
final class UserFolder {
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private static final int OTHERS = 0077;
    private static final int ANYONE_WRITES = 0002;
    private static final int STICKY = 01000;

    private UserFolder() {}

    static void make(Path folder) throws IOException {
        Files.createDirectory(folder, OWNER_ONLY);
    }

    /// Makes the folder when it is not there, and throws when other users could enter it or put another in its place.
    static void require(Path folder) {
        Path parent = folder.getParent();
        if (!Files.isDirectory(parent)) {
            throw FolderFailure.unsupported("there is no folder " + parent + "; mount a tmpfs there", null);
        }
        try {
            try {
                make(folder);
            } catch (FileAlreadyExistsException e) {
                // Of this user's other processes, or so it must turn out below.
            }
            int above = (int) Files.getAttribute(parent, "unix:mode");
            if ((above & ANYONE_WRITES) != 0 && (above & STICKY) == 0) {
                throw FolderFailure.unsafe(parent, "lets everyone rename what others put there (no sticky bit)");
            }
            check(folder);
        } catch (IOException e) {
            throw FolderFailure.file("open shared memory", folder, e);
        }
    }

    private static void check(Path folder) throws IOException {
        Map<String, Object> is = Files.readAttributes(folder, "unix:isDirectory,uid,mode", LinkOption.NOFOLLOW_LINKS);
        int owner = (int) is.get("uid");
        int mode = (int) is.get("mode");
        if (!(boolean) is.get("isDirectory")) {
            throw FolderFailure.unsafe(folder, "is no folder");
        }
        if (owner != FileCalls.user()) {
            throw FolderFailure.unsafe(folder, "belongs to user " + owner);
        }
        if ((mode & OTHERS) != 0) {
            throw FolderFailure.unsafe(folder, "has mode %o".formatted(mode & 07777));
        }
    }
}
