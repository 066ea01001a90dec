package io.verbena.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class ContractProgressTest {
    private static ContractProgress run(Class<?> tests) {
        ContractProgress progress = new ContractProgress();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(tests))
                                .build(),
                        progress);
        return progress;
    }

    static class Good {
        @Test
        void passes() {}

        @Test
        void isSkipped() {
            abort("not here");
        }
    }

    static class BrokenFactory {
        @Test
        void passes() {}

        @TestFactory
        List<DynamicTest> makesNone() {
            throw new IllegalStateException("on purpose");
        }
    }

    static class AllSkipped {
        @Test
        void isSkipped() {
            abort("not here");
        }
    }

    @Test
    void shouldBeGoodWhenSomePassedAndNoneFailed() {
        ContractProgress progress = run(Good.class);
        assertTrue(progress.isGood());
        assertEquals("1 passed, 0 failed, 1 skipped", progress.summary());
    }

    @Test
    void shouldCountWhatFailsAroundTests() {
        ContractProgress progress = run(BrokenFactory.class);
        assertFalse(progress.isGood());
        assertEquals("1 passed, 1 failed, 0 skipped", progress.summary());
    }

    @Test
    void shouldNotBeGoodWhenAllWasSkipped() {
        assertFalse(run(AllSkipped.class).isGood());
    }
}
