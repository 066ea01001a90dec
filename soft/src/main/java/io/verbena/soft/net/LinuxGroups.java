package io.verbena.soft.net;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.verbena.soft.os.DescriptorCalls;
import io.verbena.verbs.attr.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/// The multicast groups of a [LinuxWire]: a socket for each, and an epoll instance that finds the readable sockets in
/// one call.
final class LinuxGroups {
    private static final int EPOLL_CLOEXEC = 0x80000;
    private static final int EPOLL_CTL_ADD = 1;
    private static final int EPOLLIN = 1;
    private static final int EVENTS = 8;
    private static final int SLOTS_PER_GROUP = 16;

    /// `struct epoll_event` is packed on x86 only.
    private static final boolean PACKED = !"aarch64".equals(System.getProperty("os.arch"));

    private static final int EVENT_BYTES = PACKED ? 12 : 16;
    private static final int DATA_AT = PACKED ? 4 : 8;

    private final InetAddress local;
    private final SocketAddresses addresses;
    private final MemorySegment events = Arena.ofAuto().allocate((long) EVENTS * EVENT_BYTES, Long.BYTES);
    private final int epollFd;
    private final Map<Gid, LinuxReceiver> receivers = new HashMap<>();

    /// Indexed by file descriptor, which needs no boxing.
    private LinuxReceiver[] byDescriptor = new LinuxReceiver[0];

    LinuxGroups(InetAddress local, SocketAddresses addresses) {
        this.local = local;
        this.addresses = addresses;
        epollFd = LinuxWireCalls.epollCreate(EPOLL_CLOEXEC);
        if (epollFd < 0) {
            throw OpenFailure.call(local, "epoll_create1", -epollFd);
        }
    }

    /// Readable while a socket has a frame.
    int epollFd() {
        return epollFd;
    }

    boolean isEmpty() {
        return receivers.isEmpty();
    }

    void join(Gid group) {
        int fd = LinuxSocket.openGroup(local, addresses, group);
        events.set(JAVA_INT, 0, EPOLLIN);
        events.set(JAVA_INT, DATA_AT, fd);
        int result = LinuxWireCalls.epollControl(epollFd, EPOLL_CTL_ADD, fd, events);
        if (result < 0) {
            DescriptorCalls.close(fd);
            throw OpenFailure.call(local, "epoll_ctl", -result);
        }
        LinuxReceiver receiver = new LinuxReceiver(fd, SLOTS_PER_GROUP, false, addresses, group, null);
        receiver.revealTraffic();
        receivers.put(group, receiver);
        index();
    }

    /// The system takes a closed socket out of the group and out of the epoll instance.
    void leave(Gid group) {
        LinuxReceiver receiver = receivers.remove(group);
        if (receiver != null) {
            DescriptorCalls.close(receiver.fd());
            index();
        }
    }

    int receive(FrameHandler handler, int limit) {
        int ready = LinuxWireCalls.epollWait(epollFd, events.address(), EVENTS, 0);
        int received = 0;
        for (int i = 0; i < ready && received < limit; i++) {
            int fd = events.get(JAVA_INT, (long) i * EVENT_BYTES + DATA_AT);
            // A handler may have left the group of a later event.
            LinuxReceiver receiver = fd < byDescriptor.length ? byDescriptor[fd] : null;
            if (receiver != null) {
                received += receiver.receive(handler, limit - received);
            }
        }
        return received;
    }

    void close() {
        receivers.values().forEach(receiver -> DescriptorCalls.close(receiver.fd()));
        DescriptorCalls.close(epollFd);
    }

    private void index() {
        int highest =
                receivers.values().stream().mapToInt(LinuxReceiver::fd).max().orElse(-1);
        byDescriptor = new LinuxReceiver[highest + 1];
        receivers.values().forEach(receiver -> byDescriptor[receiver.fd()] = receiver);
    }
}
