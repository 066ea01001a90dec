package io.verbena.applications;

import static io.verbena.applications.Program.END;
import static io.verbena.applications.Program.START;
import static io.verbena.applications.Program.assertMoved;
import static io.verbena.applications.Program.freePort;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Kafka's broker, a single node that is also its controller, and the programs that come with it.
class KafkaProgramTest {
    private static final int RECORDS = 20_000;
    private static final int BYTES = 1024;

    @TempDir
    private Path folder;

    @Test
    void shouldProduceAndConsume() throws Exception {
        Transport transport = Transport.rdma();
        int port = freePort();
        Path properties = configure(port, freePort());
        try (Jvm format = Jvm.command(
                        "kafka.tools.StorageTool",
                        "format",
                        "--standalone",
                        "-t",
                        "AAAAAAAAAAAAAAAAAAAAAQ",
                        "-c",
                        properties.toString())
                .start()) {
            format.await(START);
        }
        try (Jvm broker = Jvm.command("kafka.Kafka", properties.toString())
                .over(transport)
                .options("-Dorg.slf4j.simpleLogger.log.kafka.server.KafkaRaftServer=info")
                .start()) {
            broker.await("Kafka Server started", START);
            String address = "127.0.0.1:" + port;
            run(
                    transport,
                    "producer",
                    "org.apache.kafka.tools.ProducerPerformance",
                    "--topic",
                    "records",
                    "--num-records",
                    Integer.toString(RECORDS),
                    "--record-size",
                    Integer.toString(BYTES),
                    "--throughput",
                    "-1",
                    "--bootstrap-server",
                    address);
            List<String> read = run(
                    transport,
                    "consumer",
                    "org.apache.kafka.tools.ConsumerPerformance",
                    "--topic",
                    "records",
                    "--num-records",
                    Integer.toString(RECORDS),
                    "--bootstrap-server",
                    address);
            assertTrue(
                    read.stream().anyMatch(line -> line.contains(", " + RECORDS + ", ")),
                    () -> String.join("\n", read));
            assertMoved(transport, "Kafka broker", 2L * RECORDS * BYTES, broker.stop());
        }
    }

    private static List<String> run(Transport transport, String name, String main, String... arguments)
            throws Exception {
        try (Jvm program = Jvm.command(main, arguments).over(transport).start()) {
            List<String> lines = program.await(END);
            assertMoved(transport, "Kafka " + name, (long) RECORDS * BYTES, lines);
            return lines;
        }
    }

    private Path configure(int port, int controllerPort) throws Exception {
        Path properties = folder.resolve("server.properties");
        Files.writeString(properties, """
                process.roles=broker,controller
                node.id=1
                controller.quorum.bootstrap.servers=127.0.0.1:%2$d
                listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
                controller.listener.names=CONTROLLER
                log.dirs=%3$s
                offsets.topic.replication.factor=1
                offsets.topic.num.partitions=1
                group.initial.rebalance.delay.ms=0
                """.formatted(port, controllerPort, folder.resolve("logs")));
        return properties;
    }
}
