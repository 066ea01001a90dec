package io.verbena.verbs.spi;

import java.lang.System.Logger.Level;
import java.lang.reflect.InvocationTargetException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/// What has to be done when the JVM ends: connections are closed as a kernel would do it for a process that is gone.
///
/// Where the JDK's package `jdk.internal.access` is exported to this module, tasks run after all shutdown hooks of the
/// program, which may still use their connections. Otherwise they run beside them, in a hook of their own.
public final class ExitTasks {
    /// Steps run one after the other, tasks of a step in the order in which they were added.
    public enum Step {
        /// Connections tell their peers that they end.
        CLOSE_CONNECTIONS,
        /// Nothing more happens that is counted.
        REPORT,
        /// Devices tell all peers that are left.
        DISCONNECT
    }

    /// The JDK runs those of the program in slot 1, and uses 0 to 2.
    private static final int SLOT = 7;

    private static final System.Logger LOG = System.getLogger("io.verbena.verbs");
    private static final Map<Step, List<Runnable>> TASKS = new EnumMap<>(Step.class);
    private static boolean isInstalled;

    private ExitTasks() {}

    /// Adds a task, which has to end within a second or two by itself. Returns false where nothing can be done at the
    /// end any more, because it has begun: then peers find out by themselves.
    public static synchronized boolean add(Step step, Runnable task) {
        isInstalled = isInstalled || installInSlot() || installAsHook();
        TASKS.computeIfAbsent(step, first -> new CopyOnWriteArrayList<>()).add(task);
        return isInstalled;
    }

    private static boolean installAsHook() {
        try {
            Runtime.getRuntime()
                    .addShutdownHook(Thread.ofPlatform().name("verbena-exit").unstarted(ExitTasks::run));
            return true;
        } catch (IllegalStateException tooLate) {
            return false;
        }
    }

    private static boolean installInSlot() {
        Runnable task = ExitTasks::run;
        try {
            Object access = Class.forName("jdk.internal.access.SharedSecrets")
                    .getMethod("getJavaLangAccess")
                    .invoke(null);
            Class.forName("jdk.internal.access.JavaLangAccess")
                    .getMethod("registerShutdownHook", int.class, boolean.class, Runnable.class)
                    .invoke(access, SLOT, true, task);
            return true;
        } catch (InvocationTargetException e) {
            LOG.log(Level.DEBUG, "connections are closed beside the shutdown hooks", e.getCause());
            return false;
        } catch (ReflectiveOperationException e) {
            return false; // the package is not exported
        }
    }

    private static void run() {
        // The thread that ends the JVM may have been interrupted, and tasks wait for peers.
        Thread.interrupted();
        for (Step step : Step.values()) {
            List<Runnable> tasks;
            synchronized (ExitTasks.class) {
                tasks = List.copyOf(TASKS.getOrDefault(step, List.of()));
            }
            for (Runnable task : tasks) {
                try {
                    task.run();
                } catch (Throwable e) { // the next one runs all the same
                    LOG.log(Level.WARNING, "a task at the end of the JVM failed", e);
                }
            }
        }
    }
}
