package io.verbena.tools.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantityTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "0.04, 0.0",
        "0.3, 0.3",
        "1, 1",
        "999.4, 999",
        "999.6, 1.0k",
        "1234, 1.2k",
        "9949, 9.9k",
        "9951, 10k",
        "123456, 123k",
        "999499, 999k",
        "999600, 1.0M",
        "5e9, 5.0G",
        "7e12, 7.0T",
        "7e15, 7000T",
        "NaN, -"
    })
    void shouldShortenNumbers(double value, String text) {
        assertEquals(text, Quantity.count(value));
        assertTrue(text.length() <= 5);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "999999, 0",
        "1000000, 1ms",
        "999000000, 999ms",
        "3440000000, 3.4s",
        "9960000000, 9s",
        "59999000000, 59s",
        "125000000000, 2m05s",
        "12000000000000, 3h20m",
        "446400000000000, 5d04h"
    })
    void shouldShortenTimes(long ns, String text) {
        assertEquals(text, Quantity.time(ns));
    }
}
