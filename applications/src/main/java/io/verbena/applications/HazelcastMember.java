package io.verbena.applications;

import com.hazelcast.config.FileSystemXmlConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import java.util.Arrays;

/// A member of a Hazelcast cluster that joins another one, and puts and gets.
///
/// Arguments: the configuration, the number of entries.
public final class HazelcastMember {
    private static final int BYTES = 4096;

    private HazelcastMember() {}

    /// Joins, puts and gets.
    public static void main(String[] arguments) throws Exception {
        HazelcastInstance member = Hazelcast.newHazelcastInstance(new FileSystemXmlConfig(arguments[0]));
        int entries = Integer.parseInt(arguments[1]);
        IMap<Integer, byte[]> map = member.getMap("entries");
        for (int i = 0; i < entries; i++) {
            byte[] value = new byte[BYTES];
            Arrays.fill(value, (byte) i);
            map.put(i, value);
        }
        for (int i = 0; i < entries; i++) {
            byte[] value = map.get(i);
            if (value.length != BYTES || value[0] != (byte) i || value[BYTES - 1] != (byte) i) {
                throw new IllegalStateException("entry " + i + " is wrong");
            }
        }
        System.out.println("put and got " + entries + " entries in a cluster of "
                + member.getCluster().getMembers().size());
        member.shutdown();
    }
}
