package io.verbena.soft.shm;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.nio.file.Path;
import java.util.Set;

/// Where the processes of one user on one host meet: a folder in memory that nobody else can enter.
///
/// Each process has a subfolder of its own, which holds its files and bells, and a lock that it holds as long as it
/// lives, however it ends. A process that ends by itself takes its subfolder away; what killed ones left behind goes
/// with the next start of any process.
public final class SharedFolder {
    private static final Path MEMORY = Path.of("/dev/shm");

    /// Where the numbers in [FileCalls] hold.
    private static final Set<String> KNOWN_ARCHITECTURES = Set.of("amd64", "x86_64", "aarch64");

    private static SharedFolder ofThisProcess;

    private final Path folder;
    private final ProcessFolder own;
    private final Announcements announcements;

    /// The user's folder itself, made when it is not there.
    SharedFolder(Path folder) {
        UserFolder.require(folder);
        this.folder = folder;
        own = ProcessFolder.create(folder);
        announcements = new Announcements(folder, own);
        new Cleaner(folder, own.name()).clean();
    }

    /// Opened at first use; one for the whole process.
    ///
    /// @throws RdmaException EOPNOTSUPP when the platform has no such memory or does not let us use it, EACCES when
    ///     the folder is not safe from other users
    public static synchronized SharedFolder ofThisProcess() {
        if (ofThisProcess == null) {
            if (!isKnownSystem()) {
                throw FolderFailure.unsupported("it needs Linux on x86-64 or aarch64, and this is " + system(), null);
            }
            try {
                SharedFolder opened = new SharedFolder(MEMORY.resolve("verbena-" + FileCalls.user()));
                opened.removeAtEnd();
                ofThisProcess = opened;
            } catch (LinkageError | IllegalCallerException e) {
                throw FolderFailure.unsupported(
                        "it needs native access; run with --enable-native-access=io.verbena.soft", e);
            }
        }
        return ofThisProcess;
    }

    static boolean isKnownSystem() {
        return system().startsWith("Linux") && KNOWN_ARCHITECTURES.contains(System.getProperty("os.arch"));
    }

    static String system() {
        return System.getProperty("os.name") + " on " + System.getProperty("os.arch");
    }

    /// The name of this process's subfolder: never that of another process, dead or alive.
    public String process() {
        return own.name();
    }

    /// A new file of zeros in this process's subfolder. Its memory is there: touching it cannot fail later.
    ///
    /// @throws RdmaException ENOMEM when there is no room, EEXIST when this process has a file of that name
    public SharedFile create(String name, long bytes) {
        if (bytes <= 0) {
            String explanation = bytes + " bytes: a file has at least one";
            throw new RdmaException("create shared file " + name, Errno.EINVAL, explanation);
        }
        Path path = own.resolve("create shared file", name);
        return own.whileOpen("create shared file " + name, () -> SharedFile.create(path, bytes));
    }

    /// Maps a whole file of a process, which may be this one.
    ///
    /// @throws RdmaException ENOENT when it is not there
    public SharedFile open(String process, String name) {
        return SharedFile.open(pathOf("open shared file", process, name));
    }

    /// A new bell in this process's subfolder.
    public Bell createBell(String name) {
        Path path = own.resolve("create bell", name);
        return own.whileOpen("create bell " + name, () -> Bell.create(path));
    }

    /// The bell of a process, which may be this one.
    ///
    /// @throws RdmaException ENOENT when it is not there
    public Bell openBell(String process, String name) {
        return Bell.open(pathOf("open bell", process, name));
    }

    /// Lets all processes of the user find this process's file under a key. An older announcement of the key, whoever
    /// made it, is replaced.
    public void announce(String key, String name) {
        own.resolve("announce", name);
        announcements.announce(key, name);
    }

    /// Takes an announcement back; nothing happens when the key names another process by now.
    public void withdraw(String key) {
        announcements.withdraw(key);
    }

    /// What was announced under a key last, or null when that was nothing or its process is dead.
    public Announcement find(String key) {
        Announcement found = announcements.read(key);
        return found != null && isAlive(found.process()) ? found : null;
    }

    /// Whether the process of that subfolder still runs.
    public boolean isAlive(String process) {
        if (process.equals(own.name())) {
            return own.isAlive();
        }
        return Names.isProcess(process) && LivenessLock.isHeld(folder.resolve(process));
    }

    /// Leaves nothing of this process behind but its lock.
    void leave() {
        announcements.withdrawAll();
        own.leave();
    }

    /// Leaves nothing of this process behind.
    void remove() {
        leave();
        own.remove();
    }

    /// Leaves everything behind but the lock, as a process does that is killed.
    void abandon() {
        own.abandon();
    }

    /// Other shutdown hooks may still be saying good-bye to peers, so the lock, which tells them that this process
    /// lives, goes after all hooks.
    private void removeAtEnd() {
        try {
            own.deleteLockOnExit();
            Runtime.getRuntime().addShutdownHook(new Thread(this::leave, "verbena-shared-folder"));
        } catch (IllegalStateException e) {
            remove();
            throw FolderFailure.unsupported("this process is ending already", e);
        }
    }

    private Path pathOf(String what, String process, String name) {
        if (!Names.isProcess(process)) {
            String explanation = "that is no name of a process; take it from an announcement";
            throw new RdmaException(what + " of '" + process + "'", Errno.EINVAL, explanation);
        }
        if (!Names.isChosen(name)) {
            throw FolderFailure.badName(what, name);
        }
        return folder.resolve(process).resolve(name);
    }
}
