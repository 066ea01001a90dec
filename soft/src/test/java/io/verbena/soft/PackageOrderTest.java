package io.verbena.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The packages of this module stand in one order: each uses only those below it.
class PackageOrderTest {
    private static final String ROOT = "io/verbena/soft/";

    /// From low to high; the empty name is the module's root package.
    private static final List<String> ORDER = List.of(
            "event", "limit", "os", "shard", "fault", "option", "status", "net", "local", "mem", "engine", "wait", "cq",
            "qp", "region", "device", "cm", "monitor", "fabric", "");

    /// A class of this module in a descriptor or a signature.
    private static final Pattern IN_DESCRIPTOR = Pattern.compile("L(" + ROOT + "[\\w/$]+)");

    /// A class of this module in an import, with its package.
    private static final Pattern IMPORT = Pattern.compile(
            "^import (?:static )?(io\\.verbena\\.soft(?:\\.[a-z]\\w*)?\\.[A-Z]\\w*)", Pattern.MULTILINE);

    @Test
    void packagesUseOnlyThoseBelowThem() throws Exception {
        Set<String> wrong = new TreeSet<>();
        for (Path file : classes()) {
            String user = ROOT + name(file);
            for (String used : usedBy(file)) {
                if (rank(used) > rank(user)) {
                    wrong.add(text(user) + " -> " + text(used));
                }
            }
        }
        if (!wrong.isEmpty()) {
            fail("A package must use only those below it. Move the class, or let the lower package know it by an"
                    + " interface of its own:\n  " + String.join("\n  ", wrong));
        }
    }

    @Test
    void everyPackageHasItsPlace() throws Exception {
        Set<String> found = new TreeSet<>();
        for (Path file : classes()) {
            found.add(packageOf(ROOT + name(file)));
        }
        assertEquals(new TreeSet<>(ORDER), found, "The list in this test names all packages of the module:");
    }

    private static Path folder() throws Exception {
        URI main = SoftProvider.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI();
        return Path.of(main).resolve(ROOT);
    }

    /// The class files of the program, without those of the tests.
    private static List<Path> classes() throws Exception {
        try (Stream<Path> files = Files.walk(folder())) {
            List<Path> classes =
                    files.filter(file -> file.toString().endsWith(".class")).toList();
            assertTrue(classes.size() > 200, () -> "too few classes: " + classes.size());
            return classes;
        }
    }

    private static String name(Path file) throws Exception {
        String path = folder().relativize(file).toString().replace('\\', '/');
        return path.substring(0, path.length() - ".class".length());
    }

    /// The classes of this module that a class names in its code or in its declarations.
    private static Set<String> usedBy(Path file) throws Exception {
        Set<String> used = new TreeSet<>();
        for (PoolEntry entry : ClassFile.of().parse(file).constantPool()) {
            if (entry instanceof ClassEntry named && named.asInternalName().startsWith(ROOT)) {
                used.add(named.asInternalName());
            } else if (entry instanceof Utf8Entry text) {
                addAll(used, IN_DESCRIPTOR.matcher(text.stringValue()));
            }
        }
        addImports(used, file);
        return used;
    }

    /// Constants of other classes leave no trace in the class file, but are imported.
    private static void addImports(Set<String> used, Path file) throws Exception {
        String topLevel = name(file).replaceFirst("\\$.*", "");
        Path source = Path.of("src/main/java", ROOT, topLevel + ".java");
        addAll(used, IMPORT.matcher(Files.readString(source)));
    }

    private static void addAll(Set<String> used, Matcher matcher) {
        while (matcher.find()) {
            used.add(matcher.group(1).replace('.', '/'));
        }
    }

    private static String packageOf(String type) {
        int end = type.lastIndexOf('/');
        return end < ROOT.length() ? "" : type.substring(ROOT.length(), end);
    }

    private static int rank(String type) {
        return ORDER.indexOf(packageOf(type));
    }

    private static String text(String type) {
        return type.substring(ROOT.length()).replace('/', '.');
    }
}
