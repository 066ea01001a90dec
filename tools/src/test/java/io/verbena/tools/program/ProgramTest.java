package io.verbena.tools.program;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ProgramTest {
    @Test
    void shouldTellHowFarARunIs() {
        assertEquals("1,500 of 3,000 (50 %)", Progress.text(1500, 3000));
        assertEquals("1,500", Progress.text(1500, 0));
    }
}
