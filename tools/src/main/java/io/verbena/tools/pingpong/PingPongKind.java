package io.verbena.tools.pingpong;

import io.verbena.tools.program.ServerCommand;
import io.verbena.verbs.attr.QueuePairType;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The four programs and their differences.
enum PingPongKind {
    RC(QueuePairType.RC, 4096, 1, 1),
    UC(QueuePairType.UC, 4096, 1, 1),
    UD(QueuePairType.UD, 1024, 1, 1),
    SRQ(QueuePairType.RC, 4096, 16, 256);

    private final QueuePairType type;
    private final int usualSize;
    private final int usualQueuePairs;
    private final int lines;

    PingPongKind(QueuePairType type, int usualSize, int usualQueuePairs, int lines) {
        this.type = type;
        this.usualSize = usualSize;
        this.usualQueuePairs = usualQueuePairs;
        this.lines = lines;
    }

    QueuePairType type() {
        return type;
    }

    int usualSize() {
        return usualSize;
    }

    int usualQueuePairs() {
        return usualQueuePairs;
    }

    /// Number of addresses that each side sends, and so the largest number of queue pairs.
    int lines() {
        return lines;
    }

    /// Whether the devices retransmit lost packets.
    boolean isReliable() {
        return type == QueuePairType.RC;
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The commands that start a server: ours, and the one in C.
    String commands(InetSocketAddress server) {
        return Stream.of("verbena pingpong " + text(), "ibv_" + text() + "_pingpong")
                .map(command -> ServerCommand.of(command, server, PingPongSession.PORT))
                .collect(Collectors.joining(" or "));
    }
}
