package io.verbena.bench.side;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class CollectorTest {
    @Test
    void shouldTellTheCollectorOfAChild() throws Exception {
        assertEquals("G1", Collector.ofChildren(List.of("-XX:+UseG1GC")));
        assertEquals("Serial", Collector.ofChildren(List.of("-XX:+UseSerialGC")));
        assertEquals("Parallel", Collector.ofChildren(List.of("-XX:+UseParallelGC")));
    }

    @Test
    void shouldLeaveTheChoiceOfCollectorAndHeapToTheJvm() {
        List<String> command = Child.javaCommand(List.of(), Collector.class, List.of());
        assertTrue(command.stream().noneMatch(word -> word.startsWith("-X")), command.toString());
    }
}
