package io.verbena.soft.os;

import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// How devices of one user in one network namespace find each other without leaving anything behind: each is
/// announced as an abstract name of a Unix socket. The kernel takes such a name back when its process ends, even when
/// it is killed, and shows it only inside the network namespace, where the device's address means the same.
///
/// An object is one announcement, which stands until it is closed. Nobody reads from its socket.
public final class DeviceDirectory implements AutoCloseable {
    /// Of the calling thread, because the name belongs to the network namespace of the thread that announced it.
    private static final Path NAMES = Path.of("/proc/thread-self/net/unix");

    private static final int CLOSED = -1;

    private final String name;
    private int fd;

    private DeviceDirectory(String name, int fd) {
        this.name = name;
        this.fd = fd;
    }

    /// Says that the device with this address is in this process.
    ///
    /// @param memoryFd the descriptor of its memory, see [SealedMemory#fd]
    /// @param nonce that of its memory
    public static DeviceDirectory announce(Gid gid, int memoryFd, long nonce) {
        Announcement announcement = new Announcement(ProcessHandle.current().pid(), memoryFd, nonce);
        String name = AnnouncedName.of(DescriptorCalls.user(), gid, announcement);
        String verb = "announce device " + gid;
        int fd = SocketCalls.unixSocket();
        if (fd < 0) {
            throw Errors.make(verb, "socket", -fd);
        }
        int result = SocketCalls.bindAbstract(fd, name);
        if (result < 0) {
            DescriptorCalls.close(fd);
            throw Errors.make(verb, "bind", -result);
        }
        return new DeviceDirectory(name, fd);
    }

    /// All announcements of that address by this user, those of this process among them. Other users can forge some:
    /// try one after the other, [SealedMemory#open] refuses what is not of this user.
    ///
    /// @throws RdmaException `EACCES` when the names cannot be read
    public static List<Announcement> find(Gid gid) {
        byte[] names;
        try {
            names = Files.readAllBytes(NAMES);
        } catch (IOException e) {
            throw new RdmaException(
                    "find device " + gid,
                    Errors.EACCES,
                    "cannot read " + NAMES + " (" + e + "); mount /proc, or let the security profile allow it",
                    e);
        }
        // The kernel shows the zero before an abstract name as @.
        byte[] prefix = ('@' + AnnouncedName.prefix(DescriptorCalls.user(), gid)).getBytes(StandardCharsets.ISO_8859_1);
        return find(names, prefix);
    }

    /// The name is the last word of a line, if there is any.
    private static List<Announcement> find(byte[] names, byte[] prefix) {
        List<Announcement> found = new ArrayList<>();
        int word = 0;
        for (int i = 0; i < names.length; i++) {
            if (names[i] == ' ') {
                word = i + 1;
            } else if (names[i] == '\n') {
                int after = word + prefix.length;
                if (after <= i && Arrays.equals(names, word, after, prefix, 0, prefix.length)) {
                    Announcement announcement = AnnouncedName.parse(names, after, i);
                    if (announcement != null) {
                        found.add(announcement);
                    }
                }
                word = i + 1;
            }
        }
        return found;
    }

    /// Withdraws the announcement. May be called twice.
    @Override
    public synchronized void close() {
        if (fd != CLOSED) {
            DescriptorCalls.close(fd);
            fd = CLOSED;
        }
    }

    @Override
    public String toString() {
        return "announcement " + name;
    }
}
