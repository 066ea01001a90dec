package io.verbena.tools.doctor;

import java.util.List;

/// The limit of socket buffers: the software device asks for 4 MiB, and loses packets in bursts with less.
final class SocketBufferCheck implements Check {
    private static final long WANTED = 4L << 20;

    @Override
    public List<Finding> run(Machine machine) {
        return List.of("rmem_max", "wmem_max").stream()
                .filter(name -> machine.number("proc/sys/net/core/" + name) >= 0)
                .map(name -> judge(name, machine.number("proc/sys/net/core/" + name)))
                .toList();
    }

    private static Finding judge(String name, long bytes) {
        String subject = "net.core." + name;
        return bytes >= WANTED
                ? Finding.ok(subject, (bytes >> 10) + " KiB")
                : Finding.warning(
                        subject,
                        (bytes >> 10) + " KiB: bursts of large messages lose packets, and are sent again",
                        "sysctl -w net.core." + name + "=" + WANTED);
    }
}
