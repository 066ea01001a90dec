package io.verbena.soft.shm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Random;

/// Processes that come and go in one user's folder, each cleaning up behind the others; threads stand for processes,
/// because locks belong to open files.
final class Crowd {
    /// The exit code of a crowd that saw a living process lose something.
    static final int LOST = 3;

    private final Path folder;
    private final Random random;

    Crowd(Path folder, long seed) {
        this.folder = folder;
        random = new Random(seed);
    }

    /// Run in a process of its own, to be killed: `folder threads seed`. Says a line when all threads run.
    public static void main(String[] arguments) throws InterruptedException {
        Path folder = Path.of(arguments[0]);
        long seed = Long.parseLong(arguments[2]);
        for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
            Crowd crowd = new Crowd(folder, seed + i);
            crowd.turn();
            Thread.ofPlatform().start(() -> {
                while (true) {
                    crowd.turnOrHalt();
                }
            });
        }
        System.out.println("all are here");
        Thread.sleep(60_000);
    }

    private void turnOrHalt() {
        try {
            turn();
        } catch (RuntimeException | AssertionError e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(LOST);
        }
    }

    /// One process's life, with an end at one of the points where a process may be killed.
    void turn() {
        try {
            switch (random.nextInt(16)) {
                case 0 -> UserFolder.make(folder.resolve(Names.newProcess()));
                case 1 -> Files.createFile(halfStarted().resolve(Names.LOCK));
                case 2 -> LivenessLock.own(halfStarted()).close();
                case 3 -> {
                    SharedFolder process = live();
                    process.abandon();
                    Files.deleteIfExists(folder.resolve(process.process()).resolve(Names.LOCK));
                }
                case 4, 5 -> live().abandon();
                case 6, 7 -> live().remove();
                default -> startSlowly();
            }
        } catch (NoSuchFileException e) {
            // A cleaner took the folder of one that has not locked it, as it may.
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Path halfStarted() throws IOException {
        Path path = folder.resolve(Names.newProcess());
        UserFolder.make(path);
        return path;
    }

    /// Dawdles where a cleaner may come between.
    private void startSlowly() throws IOException {
        Path path = halfStarted();
        dawdle();
        int fd = LivenessLock.make(path);
        dawdle();
        try (LivenessLock lock = LivenessLock.take(path, fd)) {
            if (lock.state() == LivenessLock.State.HELD) {
                Path ring = Files.createFile(path.resolve("ring"));
                for (int i = 0; i < 10; i++) {
                    dawdle();
                    if (!LivenessLock.isHeld(path) || !Files.exists(ring)) {
                        throw new AssertionError(path + " was taken from a process that had just locked it");
                    }
                }
            }
        }
    }

    private void dawdle() {
        for (int i = random.nextInt(1000); i > 0; i--) {
            Thread.onSpinWait();
        }
    }

    private SharedFolder live() {
        SharedFolder process = new SharedFolder(folder);
        SharedFile file = process.create("ring", 4096);
        Bell bell = process.createBell("bell");
        process.announce("key-" + random.nextInt(3), "ring");
        for (int i = random.nextInt(20); i >= 0; i--) {
            require(process);
        }
        bell.close();
        require(process);
        if (random.nextBoolean()) {
            file.close();
        }
        return process;
    }

    private void require(SharedFolder process) {
        Path own = folder.resolve(process.process());
        if (!LivenessLock.isHeld(own) || !Files.exists(own.resolve("ring"), LinkOption.NOFOLLOW_LINKS)) {
            throw new AssertionError(process.process() + " lost its lock or its file");
        }
        Announcement found = process.find("key-" + random.nextInt(3));
        if (found != null && !found.name().equals("ring")) {
            throw new AssertionError("nobody announced " + found);
        }
    }
}
