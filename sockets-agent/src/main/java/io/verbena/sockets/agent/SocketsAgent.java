package io.verbena.sockets.agent;

import io.verbena.sockets.RdmaSelectorProvider;
import java.lang.System.Logger.Level;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// `-javaagent:verbena-sockets.jar`: makes [RdmaSelectorProvider] the selector provider of the JVM, before the program
/// opens its first channel.
///
/// Arguments are properties of the module, without the prefix: `-javaagent:verbena-sockets.jar=report,rules=tcp *:22`.
/// A
/// list of rules has commas in it, so `rules` comes last.
public final class SocketsAgent {
    private static final String PROVIDER = "java.nio.channels.spi.SelectorProvider";
    private static final String PREFIX = "verbena.sockets.";
    private static final List<String> KNOWN = List.of("report", "spin", "rules");
    private static final int WRONG_ARGUMENTS = 2;
    private static final System.Logger LOG = System.getLogger("io.verbena.sockets");

    private SocketsAgent() {}

    /// Called by the JVM before `main`.
    public static void premain(String arguments, Instrumentation instrumentation) {
        try {
            setProperties(arguments);
            RdmaSelectorProvider.requireValidProperties();
        } catch (RuntimeException e) {
            // The JVM would abort with a stack trace, in which the reason is hard to find.
            System.err.println("verbena-sockets: " + e.getMessage());
            Runtime.getRuntime().halt(WRONG_ARGUMENTS);
        }
        openJdk(instrumentation);
        RdmaSelectorProvider.installReport();
        enableNativeAccess();
        instrumentation.addTransformer(new NativeTransports());
        if (System.getProperty(PROVIDER) == null) {
            System.setProperty(PROVIDER, RdmaSelectorProvider.class.getName());
        }
    }

    private static void setProperties(String arguments) {
        String left = arguments == null ? "" : arguments.strip();
        while (!left.isEmpty()) {
            int end = left.startsWith("rules=") ? -1 : left.indexOf(',');
            String one = end < 0 ? left : left.substring(0, end);
            left = end < 0 ? "" : left.substring(end + 1);
            int equals = one.indexOf('=');
            String name = equals < 0 ? one : one.substring(0, equals);
            if (!KNOWN.contains(name)) {
                throw new IllegalArgumentException(
                        "-javaagent:verbena-sockets.jar=%s: there is no argument '%s'; there are %s (quote them in a shell)"
                                .formatted(arguments, name, KNOWN));
            }
            System.setProperty(PREFIX + name, equals < 0 ? "true" : one.substring(equals + 1));
        }
    }

    /// The JDK's own provider, which serves TCP, datagrams and pipes, is in a package that is not exported, and so is
    /// what runs after the program's shutdown hooks. The method that allows native access is in one that is not open.
    private static void openJdk(Instrumentation instrumentation) {
        Set<Module> us = Set.of(SocketsAgent.class.getModule());
        instrumentation.redefineModule(
                Object.class.getModule(),
                Set.of(),
                Map.of("sun.nio.ch", us, "jdk.internal.access", us),
                Map.of("java.lang", us),
                Set.of(),
                Map.of());
    }

    /// As `--enable-native-access=ALL-UNNAMED` does, which cannot be in the manifest of an agent. Where the JDK has no
    /// such method, it prints its warning, and all works the same.
    private static void enableNativeAccess() {
        try {
            Method enable = Module.class.getDeclaredMethod("implAddEnableNativeAccessToAllUnnamed");
            enable.setAccessible(true);
            enable.invoke(null);
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.log(Level.DEBUG, "native access is not enabled by the agent", e);
        }
    }
}
