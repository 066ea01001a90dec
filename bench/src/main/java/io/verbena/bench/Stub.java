package io.verbena.bench;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// The library of `stub.c`, compiled here: it stands for libibverbs and a driver.
///
/// Its soname is `libibverbs.so.1`. Once it is loaded, the dynamic linker takes it for that library, so the provider
/// under test uses it unchanged.
public final class Stub {
    /// Path of a stub that is compiled already, so that forked JVMs do not compile it again.
    public static final String PROPERTY = "verbena.bench.stub";

    private static final List<String> COMPILERS = List.of("cc", "gcc", "clang");
    private static final long COMPILE_SECONDS = 60;

    private final SymbolLookup symbols;

    private Stub(SymbolLookup symbols) {
        this.symbols = symbols;
    }

    /// Why there is no stub on this machine; empty when there is one.
    public static Optional<String> whyMissing() {
        if (!System.getProperty("os.name").startsWith("Linux")) {
            return Optional.of("the provider under test needs Linux");
        }
        if (System.getProperty(PROPERTY) == null && compiler().isEmpty()) {
            return Optional.of("no C compiler on the PATH (one of " + COMPILERS
                    + "); install one, on Debian and Ubuntu: apt install gcc libc6-dev");
        }
        return Optional.empty();
    }

    private static Optional<String> compiler() {
        String[] folders = Optional.ofNullable(System.getenv("PATH")).orElse("").split(":");
        for (String name : COMPILERS) {
            for (String folder : folders) {
                if (Files.isExecutable(Path.of(folder, name))) {
                    return Optional.of(name);
                }
            }
        }
        return Optional.empty();
    }

    /// Compiles the stub into a folder of its own and returns the library.
    public static Path compile() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("verbena-stub");
        Path source = folder.resolve("stub.c");
        Path library = folder.resolve("libibverbs.so.1");
        try (InputStream in = Stub.class.getResourceAsStream("stub.c")) {
            Files.copy(in, source);
        }
        folder.toFile().deleteOnExit();
        source.toFile().deleteOnExit();
        library.toFile().deleteOnExit();
        String compiler =
                compiler().orElseThrow(() -> new IOException(whyMissing().orElseThrow()));
        Process process = new ProcessBuilder(
                        compiler,
                        "-O2",
                        "-shared",
                        "-fPIC",
                        "-fvisibility=hidden",
                        "-Wl,-soname,libibverbs.so.1",
                        "-o",
                        library.toString(),
                        source.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (!process.waitFor(COMPILE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(compiler + " did not end within " + COMPILE_SECONDS + " s");
        }
        if (process.exitValue() != 0) {
            throw new IOException(compiler + " could not compile " + source + ", see above");
        }
        return library;
    }

    /// Loads the stub; must be called before the provider loads libibverbs.
    @SuppressWarnings("restricted")
    public static Stub load() throws IOException, InterruptedException {
        String compiled = System.getProperty(PROPERTY);
        Path library = compiled != null ? Path.of(compiled) : compile();
        return new Stub(SymbolLookup.libraryLookup(library, Arena.global()));
    }

    /// A handle to an exported function; pointers are longs.
    @SuppressWarnings("restricted")
    MethodHandle function(String name, MemoryLayout returns, MemoryLayout... takes) {
        FunctionDescriptor descriptor =
                returns == null ? FunctionDescriptor.ofVoid(takes) : FunctionDescriptor.of(returns, takes);
        return Linker.nativeLinker().downcallHandle(symbols.findOrThrow(name), descriptor);
    }

    /// Sets how many completions each poll returns from now on.
    public void ready(int count) throws Throwable {
        function("stub_ready", null, JAVA_INT).invokeExact(count);
    }

    long qp() throws Throwable {
        return (long) function("stub_qp", JAVA_LONG).invokeExact();
    }

    long cq() throws Throwable {
        return (long) function("stub_cq", JAVA_LONG).invokeExact();
    }

    /// One of the function pointers of an object's context, at that offset of `struct ibv_context`.
    @SuppressWarnings("restricted")
    static MemorySegment operation(long object, long offset) {
        long context = MemorySegment.ofAddress(object)
                .reinterpret(JAVA_LONG.byteSize())
                .get(JAVA_LONG, 0);
        MemorySegment operations = MemorySegment.ofAddress(context).reinterpret(offset + JAVA_LONG.byteSize());
        return MemorySegment.ofAddress(operations.get(JAVA_LONG, offset));
    }
}
