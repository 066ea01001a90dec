package io.verbena.spark.suite;

import org.apache.spark.ShuffleNettyNioSuite;

/// Spark's own tests of shuffles, with the shuffle by RDMA. Their configurations do not take system properties.
public class RdmaShuffleSuite extends ShuffleNettyNioSuite {
    @Override
    public void beforeAll() {
        super.beforeAll();
        conf().set("spark.shuffle.manager", "io.verbena.spark.RdmaShuffleManager");
        conf().set("spark.plugins", "io.verbena.spark.RdmaShufflePlugin");
        conf().set("spark.shuffle.readHostLocalDisk", "false");
        conf().set("spark.executor.extraJavaOptions", "--enable-native-access=ALL-UNNAMED");
    }
}
