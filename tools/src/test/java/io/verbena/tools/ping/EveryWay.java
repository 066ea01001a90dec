package io.verbena.tools.ping;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A test that runs in all nine ways: its parameters are those of `--cm` and `--wait`.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest
@CsvSource({
    "sync, spin", "sync, notify", "sync, poll",
    "thread, spin", "thread, notify", "thread, poll",
    "poll, spin", "poll, notify", "poll, poll"
})
@interface EveryWay {}
