package io.verbena.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class RuleCatalogTest {
    /// Test methods of all contracts.
    private static List<Method> tests() {
        List<Method> methods = new ArrayList<>();
        for (Class<?> nested : AllContracts.class.getDeclaredClasses()) {
            for (Method method : nested.getSuperclass().getDeclaredMethods()) {
                if (method.isAnnotationPresent(Test.class) || method.isAnnotationPresent(TestFactory.class)) {
                    methods.add(method);
                }
            }
        }
        return methods;
    }

    @Test
    void shouldRunEveryContractThereIs() throws IOException, URISyntaxException {
        Path classes = Path.of(Contract.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (Stream<Path> files = Files.walk(classes)) {
            List<String> missing = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith("Contract.class"))
                    .map(name -> name.replace("Contract.class", ""))
                    .filter(name -> !name.isEmpty() && !name.equals("Cm")) // what contracts extend
                    .filter(name -> Stream.of(AllContracts.class.getDeclaredClasses())
                            .noneMatch(nested -> nested.getSimpleName().equals(name)))
                    .toList();
            assertEquals(List.of(), missing, "contracts that AllContracts does not name");
        }
    }

    @Test
    void shouldNameARuleForEveryTest() {
        RuleCatalog catalog = RuleCatalog.load();
        List<Method> tests = tests();
        assertTrue(tests.size() > 100, "the contracts are found");
        for (Method method : tests) {
            Rule rule = method.getAnnotation(Rule.class);
            assertTrue(rule != null, () -> method + " has no @Rule");
            for (String id : rule.value()) {
                assertFalse(catalog.entry(id).text().isEmpty());
            }
        }
    }

    @Test
    void shouldHaveATestOrAReasonForEveryRule() {
        Set<String> tested = new HashSet<>();
        for (Method method : tests()) {
            tested.addAll(List.of(method.getAnnotation(Rule.class).value()));
        }
        for (RuleCatalog.Entry entry : RuleCatalog.load().entries()) {
            assertEquals(
                    entry.open().isEmpty(),
                    tested.contains(entry.id()),
                    () -> entry.id() + " needs either a test or, in rules.txt, the reason why it has none");
        }
    }
}
