package io.verbena.spark.jobs;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What blocks are fetched by.
enum Way {
    /// Spark as it is.
    TCP("Spark as it is, TCP"),
    /// Spark as it is, with sockets over RDMA.
    SOCKETS("sockets over RDMA"),
    /// The shuffle by RDMA READ.
    RDMA("shuffle by RDMA READ"),
    /// Spark as it is, whose executors read each other's files: what a job takes without fetching.
    FILES("files of the host");

    private static final String NATIVE = "--enable-native-access=ALL-UNNAMED";

    private final String title;

    Way(String title) {
        this.title = title;
    }

    /// For tables.
    String title() {
        return title;
    }

    /// The settings that this way needs beyond those of all.
    Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        if (this == RDMA) {
            settings.put("spark.plugins", "io.verbena.spark.RdmaShufflePlugin");
            settings.put("spark.shuffle.manager", "io.verbena.spark.RdmaShuffleManager");
        } else if (this == SOCKETS) {
            settings.put("spark.io.mode.default", "NIO");
        } else if (this == FILES) {
            settings.put("spark.shuffle.readHostLocalDisk", "true");
        }
        return settings;
    }

    /// The options that this way needs for the JVMs of driver and executors.
    List<String> options(Path module) {
        return switch (this) {
            case TCP, FILES -> List.of();
            case RDMA -> List.of(NATIVE);
            case SOCKETS -> List.of("-javaagent:" + agent(module));
        };
    }

    static Path jar(Path module) {
        return module.resolve("target/verbena-spark.jar");
    }

    private static Path agent(Path module) {
        return module.resolveSibling("sockets-agent").resolve("target/verbena-sockets.jar");
    }
}
