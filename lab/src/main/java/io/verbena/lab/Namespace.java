package io.verbena.lab;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// A thread in another network namespace than the JVM's. The kernel's connection manager gives an id the namespace of
/// the thread that creates it, for good.
final class Namespace {
    private static final int CLONE_NEWNET = 0x4000_0000;
    private static final int CALL_SECONDS = 60;

    private final Path file;
    private final ExecutorService thread;

    /// `file` is one of those of `ip netns`, e.g. `/run/netns/first`.
    Namespace(Path file) {
        this.file = file;
        this.thread = Executors.newSingleThreadExecutor(
                task -> Thread.ofPlatform().daemon().name("in " + file).unstarted(() -> {
                    enter();
                    task.run();
                }));
    }

    /// Makes the call on the thread; exceptions are passed on.
    <T> T call(Supplier<T> call) {
        Future<T> result = thread.submit(call::get);
        try {
            return result.get(CALL_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException known ? known : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted in a call on the thread in " + file, e);
        } catch (TimeoutException e) {
            throw new IllegalStateException("no answer from the thread in " + file, e);
        }
    }

    private void enter() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocateFrom(file.toString());
            int descriptor = (int) libc("open", ValueLayout.ADDRESS).invokeExact(name, 0);
            int result = (int) libc("setns", ValueLayout.JAVA_INT).invokeExact(descriptor, CLONE_NEWNET);
            if (descriptor < 0 || result != 0) {
                throw new IllegalStateException("cannot enter the network namespace " + file + "; it needs root");
            }
        } catch (Throwable e) {
            throw e instanceof RuntimeException known ? known : new IllegalStateException(e);
        }
    }

    @SuppressWarnings("restricted")
    private static MethodHandle libc(String name, ValueLayout first) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, first, ValueLayout.JAVA_INT));
    }
}
