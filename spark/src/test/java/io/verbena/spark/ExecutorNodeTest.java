package io.verbena.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecutorNodeTest {
    private static final Duration LONGEST = Duration.ofSeconds(20);

    private final Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();

    /// What would make Spark end the executor.
    private final List<Throwable> fatal = new CopyOnWriteArrayList<>();

    @BeforeEach
    void handleAsSpark() {
        Thread.setDefaultUncaughtExceptionHandler((thread, problem) -> fatal.add(problem));
    }

    @AfterEach
    void handleAsBefore() {
        Thread.setDefaultUncaughtExceptionHandler(before);
    }

    private static ExecutorNode node(SparkConf conf) throws Exception {
        return new ExecutorNode(conf, "127.0.0.1", executor -> AddressBook.Address.none("nobody else is there"));
    }

    /// Returns when the thread has ended, and so has the handler of what it threw.
    private static void runInBackground(ExecutorNode node, Runnable task) throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        node.background().execute(() -> {
            thread.complete(Thread.currentThread());
            task.run();
        });
        assertTrue(thread.get(LONGEST.toSeconds(), TimeUnit.SECONDS).join(LONGEST));
    }

    @Test
    void shouldNotEndTheExecutorWhenWorkInTheBackgroundFails() throws Exception {
        try (ExecutorNode node = node(new SparkConf(false))) {
            runInBackground(node, () -> {
                throw new IllegalStateException("the peer is gone");
            });
        }
        assertEquals(List.of(), fatal);
    }

    @Test
    void shouldLeaveErrorsToSpark() throws Exception {
        Error error = new AssertionError("as if no memory were left");
        try (ExecutorNode node = node(new SparkConf(false))) {
            runInBackground(node, () -> {
                throw error;
            });
        }
        assertEquals(List.of(error), fatal);
    }

    @Test
    void shouldNotListenWhenASettingIsWrong() {
        for (String setting :
                List.of(Settings.MEMORY, Settings.REGISTERED, Settings.FETCH_MEMORY, Settings.CONNECT_TIMEOUT)) {
            Set<Thread> running = servers();
            assertThrows(NumberFormatException.class, () -> node(new SparkConf(false).set(setting, "much")));
            Set<Thread> more = servers();
            more.removeAll(running);
            assertEquals(Set.of(), more);
        }
    }

    @Test
    void shouldEndItsThreadsWhenItIsClosed(@TempDir Path folder) throws Exception {
        Set<Thread> before = threads("verbena-shuffle");
        try (ExecutorNode node = node(new SparkConf(false).set(Settings.MEMORY, "300k"))) {
            add(node, 1, Files.write(folder.resolve("small"), new byte[100_000]));
            node.outputs().release(1);
            add(node, 2, Files.write(folder.resolve("large"), new byte[200_000])); // closes what is idle
            assertTrue(threads("verbena-shuffle-closer").size() > 0);
        }
        for (Thread thread : threads("verbena-shuffle")) {
            if (!before.contains(thread)) {
                assertTrue(thread.join(LONGEST), () -> thread.getName() + " goes on");
            }
        }
        assertEquals(List.of(), fatal);
    }

    private static void add(ExecutorNode node, int shuffle, Path file) throws IOException {
        node.outputs().add(new MapOutputs.Id(shuffle, 0), file.toFile(), new long[] {Files.size(file)});
    }

    private static Set<Thread> servers() {
        return threads("verbena-endpoint-server");
    }

    private static Set<Thread> threads(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(name))
                .collect(Collectors.toSet());
    }
}
