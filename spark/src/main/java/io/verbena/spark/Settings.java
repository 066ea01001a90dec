package io.verbena.spark;

import java.time.Duration;
import java.util.List;
import org.apache.spark.SparkConf;

/// What a Spark configuration says about the shuffle by RDMA.
final class Settings {
    /// The network, such as `10.0.0.0/24`, whose address of this host is used; that of Spark's host name if not set.
    static final String NETWORK = "spark.verbena.network";

    /// The most bytes of memory that map outputs are copied into when they are committed.
    static final String MEMORY = "spark.verbena.memory";

    /// The most bytes of mapped files, for map outputs beyond that; further ones go Spark's own way.
    static final String REGISTERED = "spark.verbena.registered";

    /// The most bytes of registered memory that an executor fetches into at a time.
    static final String FETCH_MEMORY = "spark.verbena.fetchMemory";

    /// How long connecting to another executor may take, before its blocks are fetched in Spark's own way.
    static final String CONNECT_TIMEOUT = "spark.verbena.connectTimeout";

    private static final String MEMORY_BYTES = "512m";
    private static final String REGISTERED_BYTES = "16g";
    private static final String FETCH_BYTES = "256m";
    private static final String CONNECT = "5s";

    /// A setting that RDMA READ cannot honour when it is true.
    private record Obstacle(String setting, String reason) {}

    private static final List<Obstacle> OBSTACLES = List.of(
            new Obstacle("spark.network.crypto.enabled", "traffic by RDMA is not encrypted"),
            new Obstacle("spark.authenticate", "peers that read by RDMA are not asked who they are"),
            new Obstacle("spark.authenticate.enableSaslEncryption", "traffic by RDMA is not encrypted"),
            new Obstacle("spark.ssl.rpc.enabled", "traffic by RDMA is not encrypted"),
            new Obstacle("spark.io.encryption.enabled", "map outputs that are encrypted are read by Spark alone"),
            new Obstacle("spark.shuffle.push.enabled", "blocks that were pushed and merged are read by Spark alone"),
            new Obstacle("spark.shuffle.service.enabled", "the external shuffle service exports no memory"),
            new Obstacle("spark.shuffle.useOldFetchProtocol", "the old protocol names map outputs in another way"));

    private Settings() {}

    /// Why the whole application takes Spark's own path; null when nothing is in the way.
    static String obstacle(SparkConf conf) {
        for (Obstacle each : OBSTACLES) {
            if (conf.getBoolean(each.setting, false)) {
                return each.setting + " is set, and " + each.reason;
            }
        }
        return null;
    }

    static Budget memory(SparkConf conf) {
        return new Budget(MEMORY, conf.getSizeAsBytes(MEMORY, MEMORY_BYTES));
    }

    static Budget registered(SparkConf conf) {
        return new Budget(REGISTERED, conf.getSizeAsBytes(REGISTERED, REGISTERED_BYTES));
    }

    static long fetchBytes(SparkConf conf) {
        return conf.getSizeAsBytes(FETCH_MEMORY, FETCH_BYTES);
    }

    static Duration connectTimeout(SparkConf conf) {
        return Duration.ofMillis(conf.getTimeAsMs(CONNECT_TIMEOUT, CONNECT));
    }
}
