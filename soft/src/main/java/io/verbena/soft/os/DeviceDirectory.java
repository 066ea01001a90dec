package io.verbena.soft.os;

import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// Lets devices of one user in one network namespace find each other without leaving files behind: each device is
/// announced as an abstract name of a Unix socket. The kernel removes such a name when its process ends, even when it
/// is killed, and shows it only inside the network namespace, where the device's address is valid.
///
/// The name is `verbena-USER-GID-PID-DESCRIPTOR-NONCE`, user, process and descriptor as decimal numbers, the others in
/// hex digits.
///
/// An object is one announcement, valid until it is closed. Its socket is never read.
public final class DeviceDirectory implements AutoCloseable {
    /// That of the calling thread, because a name belongs to the network namespace of the thread that announced it.
    private static final Path NAMES = Path.of("/proc/thread-self/net/unix");

    /// Process, descriptor and nonce at the end of a line. No system has numbers of more digits.
    private static final String PLACE = "([1-9]\\d{0,8})-(\\d{1,9})-(\\p{XDigit}{16})$";

    private static final HexFormat HEX = HexFormat.of();
    private static final int CLOSED = -1;

    private final String name;
    private int fd;

    private DeviceDirectory(String name, int fd) {
        this.name = name;
        this.fd = fd;
    }

    /// Announces the device with this address, which is in this process.
    ///
    /// @param memoryFd the descriptor of its memory, see [SealedMemory#fd]
    /// @param nonce that of its memory
    public static DeviceDirectory announce(Gid gid, int memoryFd, long nonce) {
        Announcement announcement = new Announcement(ProcessHandle.current().pid(), memoryFd, nonce);
        String name = name(DescriptorCalls.user(), gid, announcement);
        String verb = "announce device " + gid;
        int fd = Errors.require(verb, "socket", SocketCalls.unixSocket());
        int result = SocketCalls.bindAbstract(fd, name);
        if (result < 0) {
            DescriptorCalls.close(fd);
            throw Errors.make(verb, "bind", -result);
        }
        return new DeviceDirectory(name, fd);
    }

    static String name(int user, Gid gid, Announcement announcement) {
        return prefix(user, gid)
                + announcement.pid()
                + '-'
                + announcement.memoryFd()
                + '-'
                + HEX.toHexDigits(announcement.nonce());
    }

    /// The part that all announcements of one address begin with.
    static String prefix(int user, Gid gid) {
        return "verbena-" + Integer.toUnsignedString(user) + '-' + HEX.toHexDigits(gid.high())
                + HEX.toHexDigits(gid.low()) + '-';
    }

    /// All announcements of that address by this user, those of this process among them. Other users can forge some:
    /// try one after the other, [SealedMemory#open] refuses what is not of this user.
    ///
    /// @throws RdmaException `EACCES` when the names cannot be read
    public static List<Announcement> find(Gid gid) {
        // The kernel shows the zero before an abstract name as @. The name is the last word of a line, if there is any;
        // any user can take any name.
        Pattern wanted = Pattern.compile(
                " @" + prefix(DescriptorCalls.user(), gid) + PLACE, Pattern.MULTILINE | Pattern.UNIX_LINES);
        try {
            String names = Files.readString(NAMES, StandardCharsets.ISO_8859_1);
            return wanted.matcher(names)
                    .results()
                    .map(DeviceDirectory::announcement)
                    .toList();
        } catch (IOException e) {
            throw new RdmaException(
                    "find device " + gid,
                    Errors.EACCES,
                    "cannot read " + NAMES + " (" + e + "); mount /proc, or let the security profile allow it",
                    e);
        }
    }

    private static Announcement announcement(MatchResult place) {
        return new Announcement(
                Long.parseLong(place.group(1)),
                Integer.parseInt(place.group(2)),
                HexFormat.fromHexDigitsToLong(place.group(3)));
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
