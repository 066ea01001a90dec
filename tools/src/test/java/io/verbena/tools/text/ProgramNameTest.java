package io.verbena.tools.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ProgramNameTest {
    @Test
    void shouldNameTheCommandOfVerbena() {
        assertEquals(
                "verbena ping", ProgramName.of("/jdk/bin/java\0-cp\0lib/*\0io.verbena.tools.Main\0ping\0-p\0007\0"));
        assertEquals("verbena perf", ProgramName.of("java\0-m\0io.verbena.tools/io.verbena.tools.Main\0perf\0"));
    }

    @Test
    void shouldNotKnowOtherPrograms() {
        assertEquals("", ProgramName.of("java\0-jar\0server.jar\0"));
        assertEquals("", ProgramName.of("java\0io.verbena.tools.Main\0"));
        assertEquals("", ProgramName.of(""));
    }
}
