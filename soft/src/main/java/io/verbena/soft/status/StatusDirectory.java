package io.verbena.soft.status;

import io.verbena.soft.option.SoftProperties;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The directory in which each process of a user has a Unix-domain socket that tells its status. It belongs to the user
/// and nobody else may enter it: `/tmp/verbena-USER`, or the one that a property names.
public final class StatusDirectory {
    private static final String OWNER_ONLY = "rwx------";
    private static final String OWNER = "unix:uid";
    private static final Path SELF = Path.of("/proc/self");

    /// How many bytes the JDK takes for the path of a socket on Linux.
    private static final int LONGEST_SOCKET_BYTES = 106;

    /// A slash, a process number of Linux, a hyphen and the random part.
    private static final int SOCKET_NAME_BYTES = 1 + 7 + 1 + 8;

    private final Path path;
    private final Optional<Object> user;

    private StatusDirectory(Path path, Optional<Object> user) {
        this.path = path;
        this.user = user;
    }

    /// The directory of this user, which may not exist.
    ///
    /// @throws java.nio.file.InvalidPathException when the property is no path
    public static StatusDirectory ofUser() {
        String named = System.getProperty(SoftProperties.STATUS_DIRECTORY, "").trim();
        Optional<Object> user = userNumber();
        return new StatusDirectory(
                named.isEmpty() ? usual(user) : Path.of(named).toAbsolutePath(), user);
    }

    /// On Linux always in `/tmp`, because a program may have another folder for its temporary files than its observer.
    private static Path usual(Optional<Object> user) {
        return Path.of(
                Files.exists(SELF) ? "/tmp" : System.getProperty("java.io.tmpdir"),
                "verbena-" + user.orElseGet(() -> System.getProperty("user.name")));
    }

    /// The number of the user of this process. A new file tells it: `/proc/self` belongs to root if the process must
    /// not be dumped, and not all systems have it.
    private static Optional<Object> userNumber() {
        try {
            Path file = Files.createTempFile("verbena-", "");
            try {
                return Optional.of(Files.getAttribute(file, OWNER));
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            return ownerOfSelf(); // no file can be made
        } catch (UnsupportedOperationException e) {
            return Optional.empty();
        }
    }

    private static Optional<Object> ownerOfSelf() {
        try {
            return Optional.of(Files.getAttribute(SELF, OWNER));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /// Makes the directory if it does not exist, and checks that it is this user's alone.
    ///
    /// @throws IOException says why it cannot be used
    public void create() throws IOException {
        check();
        try {
            Files.createDirectory(
                    path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(OWNER_ONLY)));
        } catch (FileAlreadyExistsException e) {
            // that of an earlier process
        } catch (UnsupportedOperationException e) {
            throw new IOException("this system has no permissions of files", e);
        }
        check();
    }

    /// Checks that the directory is this user's alone. One that does not exist is fine if it can be made: no process
    /// has made it yet.
    ///
    /// @throws IOException says why it cannot be used
    public void check() throws IOException {
        checkLength();
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            checkOwner();
        } else if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(path + " is not a directory; remove it");
        } else {
            checkParent();
        }
    }

    private void checkLength() throws IOException {
        int bytes = path.toString().getBytes(StandardCharsets.UTF_8).length;
        if (bytes + SOCKET_NAME_BYTES > LONGEST_SOCKET_BYTES) {
            throw new IOException("%s has %d bytes, but sockets need a path of at most %d; name a shorter one by %s"
                    .formatted(path, bytes, LONGEST_SOCKET_BYTES - SOCKET_NAME_BYTES, SoftProperties.STATUS_DIRECTORY));
        }
    }

    private void checkParent() throws IOException {
        Path parent = path.getParent();
        if (parent != null && !Files.isDirectory(parent)) {
            throw new IOException("%s cannot be made, because %s is not a directory; make it".formatted(path, parent));
        }
        if (parent != null && !Files.isWritable(parent)) {
            throw new IOException(
                    "%s cannot be made, because this user may not write to %s; name another directory by %s"
                            .formatted(path, parent, SoftProperties.STATUS_DIRECTORY));
        }
    }

    private void checkOwner() throws IOException {
        try {
            String rights =
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
            if (!rights.equals(OWNER_ONLY)) {
                throw new IOException("%s has permissions %s, but others must not enter it: chmod 700 %s"
                        .formatted(path, rights, path));
            }
            if (user.isEmpty()) {
                throw new IOException("this system does not tell the number of this user");
            }
            if (!Files.getAttribute(path, OWNER, LinkOption.NOFOLLOW_LINKS).equals(user.get())) {
                throw new IOException("%s belongs to %s; name another directory by %s"
                        .formatted(
                                path,
                                Files.getOwner(path, LinkOption.NOFOLLOW_LINKS),
                                SoftProperties.STATUS_DIRECTORY));
            }
        } catch (NoSuchFileException e) {
            // it was removed meanwhile
        } catch (UnsupportedOperationException e) {
            throw new IOException("this system has no permissions of files", e);
        }
    }

    /// A name for the socket of a process. Processes in containers may have the same number, so it has a random part.
    public StatusSocket newSocket(long pid, int random) {
        return StatusSocket.of(path, pid, random);
    }

    /// The sockets that are there, also those of processes that were killed.
    public List<StatusSocket> sockets() throws IOException {
        check();
        List<StatusSocket> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            files.forEach(file -> StatusSocket.parse(file).ifPresent(found::add));
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return found;
    }
}
