package io.verbena.soft.net;

import io.verbena.soft.os.DescriptorCalls;
import io.verbena.verbs.attr.Gid;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/// The multicast groups of a [LinuxWire]: a socket for each, and an epoll instance that finds the readable sockets in
/// one call.
final class LinuxGroups {
    private static final int SLOTS_PER_GROUP = 16;

    private final InetAddress local;
    private final SocketAddresses addresses;
    private final Epoll epoll;
    private final Map<Gid, LinuxReceiver> receivers = new HashMap<>();

    /// Indexed by file descriptor, which needs no boxing.
    private LinuxReceiver[] byDescriptor = new LinuxReceiver[0];

    LinuxGroups(InetAddress local, SocketAddresses addresses) {
        this.local = local;
        this.addresses = addresses;
        epoll = new Epoll(local);
    }

    /// Readable while a socket has a frame.
    int epollFd() {
        return epoll.fd();
    }

    boolean isEmpty() {
        return receivers.isEmpty();
    }

    void join(Gid group) {
        int fd = LinuxSocket.openGroup(local, addresses, group);
        int result = epoll.add(fd, Epoll.IN);
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
        int ready = epoll.take();
        int received = 0;
        for (int i = 0; i < ready && received < limit; i++) {
            int fd = epoll.ready(i);
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
        epoll.close();
    }

    private void index() {
        int highest =
                receivers.values().stream().mapToInt(LinuxReceiver::fd).max().orElse(-1);
        byDescriptor = new LinuxReceiver[highest + 1];
        receivers.values().forEach(receiver -> byDescriptor[receiver.fd()] = receiver);
    }
}
