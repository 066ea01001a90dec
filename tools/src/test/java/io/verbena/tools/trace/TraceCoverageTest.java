package io.verbena.tools.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.DeviceOptions;
import io.verbena.verbs.Pollable;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.WorkCompletionHandler;
import io.verbena.verbs.spi.RdmaProvider;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Methods that are added to the API later must not be missing in the trace.
class TraceCoverageTest {
    /// Interfaces whose objects are never wrapped: the program makes the first, the second is only a view of values,
    /// and objects of the third implement one of its subinterfaces.
    private static final Set<Class<?>> LEFT_ALONE =
            Set.of(WorkCompletionHandler.class, DeviceOptions.class, WorkCompletion.class, Pollable.class);

    private static List<Class<?>> apiClasses() throws Exception {
        URI place = RdmaProvider.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI();
        if (place.getPath().endsWith(".jar")) {
            try (FileSystem jar = FileSystems.newFileSystem(Path.of(place))) {
                return classesIn(jar.getPath("/"));
            }
        }
        return classesIn(Path.of(place));
    }

    private static List<Class<?>> classesIn(Path root) throws IOException, ClassNotFoundException {
        List<Class<?>> classes = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                String name = root.relativize(file).toString();
                if (name.endsWith(".class") && !name.contains("-info")) {
                    classes.add(Class.forName(
                            name.substring(0, name.length() - ".class".length()).replace('/', '.')));
                }
            }
        }
        assertTrue(classes.contains(RdmaProvider.class), "found only " + classes);
        return classes.stream().filter(c -> Modifier.isPublic(c.getModifiers())).toList();
    }

    private static Stream<Method> methods(Class<?> type) {
        return Arrays.stream(type.getMethods()).filter(method -> !Modifier.isStatic(method.getModifiers()));
    }

    @Test
    void shouldWrapEveryInterfaceOfTheApi() throws Exception {
        Set<Class<?>> interfaces =
                new HashSet<>(apiClasses().stream().filter(Class::isInterface).toList());
        interfaces.removeAll(LEFT_ALONE);
        assertEquals(names(Wrappers.TYPES.keySet()), names(interfaces));
    }

    private static Set<String> names(Set<Class<?>> classes) {
        Set<String> names = new TreeSet<>();
        classes.forEach(type -> names.add(type.getSimpleName()));
        return names;
    }

    @Test
    void shouldKnowEveryMethodAsAVerbOrAsQuietButNotBoth() {
        for (Class<?> type : Wrappers.TYPES.keySet()) {
            methods(type).forEach(method -> {
                boolean isVerb = VerbTable.find(method) != null;
                assertTrue(
                        isVerb != VerbTable.isQuiet(method),
                        method + " is " + (isVerb ? "both a verb and quiet" : "neither in the table nor quiet"));
            });
        }
    }

    @Test
    void shouldNameNoQuietMethodThatDoesNotExist() {
        Set<String> unknown = new TreeSet<>(VerbTable.QUIET);
        for (Class<?> type : Wrappers.TYPES.keySet()) {
            methods(type).forEach(method -> {
                String owner = method.getDeclaringClass().getSimpleName();
                unknown.remove(owner + "." + method.getName());
                unknown.remove(owner + ".*");
            });
        }
        assertEquals(Set.of(), unknown);
    }

    /// Objects of the API inside other objects are replaced only where [ValueMapper] searches for them.
    @Test
    void shouldReachEveryObjectOfTheApiInParametersAndResults() throws Exception {
        Set<Class<?>> checked = new HashSet<>();
        for (Class<?> type : Wrappers.TYPES.keySet()) {
            for (Method method : methods(type).toList()) {
                requireReach(method.getGenericReturnType(), method, checked);
                for (Type parameter : method.getGenericParameterTypes()) {
                    requireReach(parameter, method, checked);
                }
            }
        }
        assertTrue(checked.size() > 30, "checked only " + checked);
    }

    private static void requireReach(Type type, Object where, Set<Class<?>> checked) {
        if (type instanceof ParameterizedType several) {
            Class<?> holder = (Class<?>) several.getRawType();
            boolean isLookedInto = holder == List.class || holder == java.util.Optional.class;
            for (Type part : several.getActualTypeArguments()) {
                assertTrue(isLookedInto || !holdsApiObject(part), where + " has a " + type);
                requireReach(part, where, checked);
            }
        } else if (type instanceof Class<?> single) {
            requireReach(single.isArray() ? single.getComponentType() : single, where, checked);
        }
    }

    private static void requireReach(Class<?> type, Object where, Set<Class<?>> checked) {
        if (!type.getName().startsWith("io.verbena.") || !checked.add(type) || type.isEnum()) {
            return;
        }
        if (type.isRecord()) {
            for (RecordComponent component : type.getRecordComponents()) {
                requireReach(component.getGenericType(), type, checked);
            }
        } else if (!Wrappers.TYPES.containsKey(type) && !LEFT_ALONE.contains(type)) {
            // a class: it may contain only numbers and records of numbers
            for (var field : type.getDeclaredFields()) {
                assertFalse(holdsApiObject(field.getType()), type + " of " + where + " holds " + field);
            }
        }
    }

    private static boolean holdsApiObject(Type type) {
        return type instanceof Class<?> single && (Wrappers.TYPES.containsKey(single) || LEFT_ALONE.contains(single));
    }
}
