package io.verbena.soft.shm;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.verbena.verbs.RdmaException;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Removes what dead processes left behind. Several may clean at once, and each may be killed at any point: see
/// [LivenessLock] for why none of them hurts a process that lives or is about to. No link is followed.
final class Cleaner {
    private static final System.Logger LOG = System.getLogger("io.verbena.soft.shm");

    private final Path folder;
    private final String own;

    Cleaner(Path folder, String own) {
        this.folder = folder;
        this.own = own;
    }

    /// Leftovers only cost memory: a failure to remove one is no reason to refuse work, nor to stop at it.
    void clean() {
        try {
            List<String> names = names(folder);
            names.stream().filter(Names::isProcess).forEach(name -> attempt(name, this::cleanProcess));
            names.stream().filter(Names::isAnnouncement).forEach(name -> attempt(name, this::cleanAnnouncement));
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "cannot clean " + folder, e);
        }
    }

    private void attempt(String name, Consumer<String> removal) {
        try {
            removal.accept(name);
        } catch (RdmaException e) {
            LOG.log(System.Logger.Level.DEBUG, "cannot remove " + folder.resolve(name), e);
        }
    }

    /// Removes what is in a subfolder, except for the lock file.
    static void empty(Path subfolder) {
        try (SecureDirectoryStream<Path> inside = open(subfolder)) {
            deleteAll(inside, files(inside));
        } catch (IOException | DirectoryIteratorException e) {
            LOG.log(System.Logger.Level.DEBUG, "cannot empty " + subfolder, e);
        }
    }

    /// Removes what is in a subfolder, the lock file last, and then itself.
    ///
    /// @param withLock false when there was no lock file: should there be one now, the process is just starting
    static void remove(Path subfolder, boolean withLock) {
        try (SecureDirectoryStream<Path> inside = open(subfolder)) {
            List<Path> files = files(inside);
            // A process puts files here only while it has a lock file: seen before and none now, they are a dead one's.
            if (!withLock && Files.exists(subfolder.resolve(Names.LOCK), NOFOLLOW_LINKS)) {
                return;
            }
            deleteAll(inside, files);
            if (withLock) {
                deleteAll(inside, List.of(Path.of(Names.LOCK)));
            }
            Files.deleteIfExists(subfolder);
        } catch (NoSuchFileException | DirectoryNotEmptyException e) {
            // Another cleaner was faster, or the folder has just been made.
        } catch (IOException | DirectoryIteratorException e) {
            LOG.log(System.Logger.Level.DEBUG, "cannot remove " + subfolder, e);
        }
    }

    private void cleanProcess(String process) {
        Path subfolder = folder.resolve(process);
        if (process.equals(own) || !Files.isDirectory(subfolder, NOFOLLOW_LINKS)) {
            return;
        }
        try (LivenessLock lock = LivenessLock.ofDead(subfolder)) {
            if (lock.state() != LivenessLock.State.TAKEN) {
                remove(subfolder, lock.state() == LivenessLock.State.HELD);
            }
        }
    }

    private void cleanAnnouncement(String name) {
        Announcements.removeIf(
                folder,
                folder.resolve(name),
                found -> found == null || !LivenessLock.isHeld(folder.resolve(found.process())));
    }

    private static List<Path> files(SecureDirectoryStream<Path> inside) {
        List<Path> files = new ArrayList<>();
        for (Path file : inside) {
            if (!file.getFileName().toString().equals(Names.LOCK)) {
                files.add(file.getFileName());
            }
        }
        return files;
    }

    private static void deleteAll(SecureDirectoryStream<Path> inside, List<Path> files) throws IOException {
        for (Path file : files) {
            try {
                inside.deleteFile(file);
            } catch (NoSuchFileException e) {
                // Another cleaner was faster.
            }
        }
    }

    private static List<String> names(Path folder) throws IOException {
        List<String> names = new ArrayList<>();
        try (SecureDirectoryStream<Path> inside = open(folder)) {
            inside.forEach(path -> names.add(path.getFileName().toString()));
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return names;
    }

    /// The only kind of stream there is on Linux; its deletions stay in the folder that was opened.
    private static SecureDirectoryStream<Path> open(Path folder) throws IOException {
        Path parent = folder.getParent();
        try (SecureDirectoryStream<Path> outside = (SecureDirectoryStream<Path>) Files.newDirectoryStream(parent)) {
            return outside.newDirectoryStream(folder.getFileName(), NOFOLLOW_LINKS);
        }
    }
}
