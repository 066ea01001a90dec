package io.verbena.spark.jobs;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/// The commands that start a standalone cluster of Spark and an application with the shuffle by RDMA.
final class ClusterLines {
    private static final String JAR = "/opt/verbena/verbena-spark.jar";

    private ClusterLines() {}

    /// @param hosts the first is the master, all of them are workers
    static String of(Path jar, List<String> hosts) {
        String copies = hosts.stream()
                .map(host -> "ssh %s mkdir -p /opt/verbena && scp %s %s:%s".formatted(host, jar, host, JAR))
                .collect(Collectors.joining("\n"));
        String workers = hosts.stream()
                .map(host -> "ssh %s 'ulimit -l unlimited && $SPARK_HOME/sbin/start-worker.sh spark://%s:7077'"
                        .formatted(host, hosts.getFirst()))
                .collect(Collectors.joining("\n"));
        String settings = Way.RDMA.settings().entrySet().stream()
                .map(entry -> "  --conf %s=%s \\\n".formatted(entry.getKey(), entry.getValue()))
                .collect(Collectors.joining());
        return """
                # 1. The jar, on each host; Spark 4.2.0 and JDK 25 are there
                %s

                # 2. The cluster
                ssh %s '$SPARK_HOME/sbin/start-master.sh'
                %s

                # 3. The application; set the network of the adapters, or leave that line out for the hosts' own addresses
                $SPARK_HOME/bin/spark-submit --master spark://%s:7077 \\
                %s  --conf spark.driver.extraClassPath=%s \\
                  --conf spark.executor.extraClassPath=%s \\
                  --conf spark.executor.extraJavaOptions=--enable-native-access=ALL-UNNAMED \\
                  --conf spark.verbena.network=10.0.0.0/24 \\
                  YOUR-APPLICATION.jar
                """.formatted(copies, hosts.getFirst(), workers, hosts.getFirst(), settings, JAR, JAR);
    }
}
