package io.verbena.tools.demo;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The command that starts this program again in another JVM: the same Java, modules and options.
public final class JvmCommand {
    private static final String MAIN = "io.verbena.tools.Main";

    private JvmCommand() {}

    /// The command line up to the program's own arguments; `properties` as `name=value`.
    public static List<String> build(List<String> properties) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(JvmCommand::isInherited)
                .forEach(command::add);
        properties.forEach(property -> command.add("-D" + property));
        String modulePath = System.getProperty("jdk.module.path");
        Module module = JvmCommand.class.getModule();
        if (modulePath == null || !module.isNamed()) {
            command.add("--enable-native-access=ALL-UNNAMED");
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN));
        } else {
            command.addAll(List.of("-p", absolute(modulePath), "-m", module.getName() + "/" + MAIN));
        }
        return command;
    }

    /// Inherits options about speed, memory and logs, and our own properties. Options for this process alone are not
    /// inherited: agents, dumps, creation of caches.
    private static boolean isInherited(String argument) {
        // The AOT cache has profiles of a run that did other things; measured processes start without it.
        if (argument.startsWith("-XX:AOT") || argument.contains("HeapDump")) {
            return false;
        }
        return argument.startsWith("-X")
                || argument.startsWith("-Dverbena.")
                || argument.startsWith("--enable-native-access");
    }

    private static String absolute(String path) {
        List<String> entries = new ArrayList<>();
        for (String entry : path.split(File.pathSeparator)) {
            entries.add(Path.of(entry).toAbsolutePath().toString());
        }
        return String.join(File.pathSeparator, entries);
    }
}
