package io.verbena.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;

class SettingsTest {
    @Test
    void shouldNameTheSettingThatRulesOutRdma() {
        SparkConf conf = new SparkConf(false);
        assertNull(Settings.obstacle(conf));
        conf.set("spark.authenticate", "true");
        assertEquals(
                "spark.authenticate is set, and peers that read by RDMA are not asked who they are",
                Settings.obstacle(conf));
        assertTrue(Settings.obstacle(new SparkConf(false).set("spark.shuffle.push.enabled", "true"))
                .startsWith("spark.shuffle.push.enabled"));
    }

    @Test
    void shouldTakeTheAddressOfTheNetworkThatIsSet() throws IOException {
        assertEquals("127.0.0.1", LocalAddress.in("127.0.0.0/8"));
        byte[] network = InetAddress.getByName("10.1.0.0").getAddress();
        assertTrue(
                LocalAddress.isIn(network, 16, InetAddress.getByName("10.1.2.3").getAddress()));
        assertFalse(
                LocalAddress.isIn(network, 16, InetAddress.getByName("10.2.0.1").getAddress()));
    }

    @Test
    void shouldRoundFetchMemoryToQuartersOfPowersOfTwo() {
        assertEquals(64 << 10, FetchMemory.rounded(1));
        assertEquals(10 << 20, FetchMemory.rounded((9 << 20) + 1));
        assertEquals(16 << 20, FetchMemory.rounded(16 << 20));
    }
}
