package io.verbena.report;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// Writes a whole file or none: it is written under a temporary name in the same folder, and renamed when complete.
/// Symbolic links stay, and so do owner and permissions of a file that is replaced.
///
/// Some files cannot be replaced, or would not be the same afterwards: those with hard links, of another owner, in a
/// folder without write permission, or mounted by themselves. They are overwritten in place once the content is
/// complete. A name that is no regular file, such as a FIFO or what `/dev` and `/proc` name, such as `/dev/stdout`, is
/// written directly.
public final class OutputFile {
    private static final int MOST_LINKS = 40;
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    /// The content to write.
    @FunctionalInterface
    public interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    private OutputFile() {}

    /// Replaces the file, if there is one.
    public static void write(Path file, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try {
            write(file, true, out -> out.write(bytes));
        } catch (FileAlreadyExistsException e) {
            throw new OutputException(file.toString(), e);
        }
    }

    /// @throws FileAlreadyExistsException when the file is there and is not to be overwritten
    /// @throws OutputException when the file cannot be written; then it is unchanged, unless it had to be overwritten
    /// in place
    public static void write(Path file, boolean overwrite, Content content) throws FileAlreadyExistsException {
        try {
            Path target = followLinks(file);
            if (isOfSystem(target) || Files.exists(target) && !Files.isRegularFile(target)) {
                // Behind a name in `/dev`, a regular file may already have lines of ours.
                fill(target, content, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
            } else if (!overwrite && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                throw new FileAlreadyExistsException(file.toString());
            } else if (Files.exists(target)) {
                replace(target, content);
            } else {
                create(target, overwrite, content);
            }
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (IOException e) {
            throw new OutputException(file.toString(), e);
        }
    }

    /// The file that the name leads to, also when it does not exist yet. Stops at links in `/dev` and `/proc`: they may
    /// lead to an open file, which must not be replaced.
    private static Path followLinks(Path file) throws IOException {
        Path target = file;
        for (int i = 0; Files.isSymbolicLink(target) && !isOfSystem(target); i++) {
            if (i == MOST_LINKS) {
                throw new FileSystemException(file.toString(), null, "too many links");
            }
            target = target.resolveSibling(Files.readSymbolicLink(target));
        }
        return target;
    }

    private static boolean isOfSystem(Path file) {
        Path absolute = file.toAbsolutePath().normalize();
        return absolute.startsWith("/dev") && !absolute.startsWith("/dev/shm") || absolute.startsWith("/proc");
    }

    private static void create(Path file, boolean overwrite, Content content) throws IOException {
        Path part = beside(file);
        try {
            fill(part, content, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
            if (overwrite) {
                Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            } else {
                Files.move(part, file);
            }
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private static void replace(Path file, Content content) throws IOException {
        if (!Files.isWritable(file)) {
            throw new AccessDeniedException(file.toString());
        }
        Path part = makePart(file);
        try {
            fill(part, content, StandardOpenOption.WRITE);
            if (!tryReplace(part, file)) {
                fill(
                        file,
                        out -> Files.copy(part, out),
                        StandardOpenOption.WRITE,
                        StandardOpenOption.TRUNCATE_EXISTING);
            }
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private static Path beside(Path file) throws IOException {
        Path part = file.resolveSibling("." + file.getFileName() + "."
                + ProcessHandle.current().pid() + "-" + Thread.currentThread().threadId() + ".part");
        // A process that was killed may have left a file of that name.
        Files.deleteIfExists(part);
        return part;
    }

    /// Creates an empty file in the same folder, or elsewhere when that folder takes none.
    private static Path makePart(Path file) throws IOException {
        try {
            Path part = beside(file);
            // Permissions for others are set when the file replaces the other.
            return Files.getFileStore(file).supportsFileAttributeView(PosixFileAttributeView.class)
                    ? Files.createFile(part, OWNER_ONLY)
                    : Files.createFile(part);
        } catch (IOException notHere) {
            return Files.createTempFile("verbena-", ".part");
        }
    }

    /// Moves the part to the place of the file, with its permissions; false, without a change, when that is not
    /// possible.
    private static boolean tryReplace(Path part, Path file) throws IOException {
        if (!part.toAbsolutePath().getParent().equals(file.toAbsolutePath().getParent())) {
            return false;
        }
        try {
            if (Files.getFileAttributeView(file, PosixFileAttributeView.class) != null) {
                PosixFileAttributes is = Files.readAttributes(part, PosixFileAttributes.class);
                PosixFileAttributes was = Files.readAttributes(file, PosixFileAttributes.class);
                boolean hasOtherNames = (int) Files.getAttribute(file, "unix:nlink") > 1;
                if (hasOtherNames
                        || !is.owner().equals(was.owner())
                        || !is.group().equals(was.group())) {
                    return false;
                }
                Files.setPosixFilePermissions(part, was.permissions());
            }
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            return true;
        } catch (FileSystemException busy) {
            return false; // a mount point, for example
        }
    }

    private static void fill(Path file, Content content, StandardOpenOption... how) throws IOException {
        // unlike a channel, a stream also writes when the thread was interrupted (Ctrl-C)
        try (OutputStream out = Files.newOutputStream(file, how)) {
            content.writeTo(out);
        }
    }
}
