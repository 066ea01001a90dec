package io.verbena.rdmacore.lib;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// One shared library, open until the process ends, and handles to its functions.
///
/// Functions come in two ways, as their manual pages tell how they fail: [#plain] for those that return their error
/// number, [#withErrno] for those that return -1 or NULL and leave it in `errno`. A handle of the second kind takes
/// the memory for it as first argument, see [CallState].
public final class Library {
    private static final Pattern RELEASE = Pattern.compile("\\.so\\.\\d+\\.\\d+\\.(\\d+)\\.(\\d+)$");

    private final String soname;
    private final SymbolLookup symbols;

    private Library(String soname, SymbolLookup symbols) {
        this.soname = soname;
        this.symbols = symbols;
    }

    /// Throws what the JDK throws when it is not there ([IllegalArgumentException]) or native access is denied
    /// ([IllegalCallerException]); [Libraries] turns both into an explanation.
    @SuppressWarnings("restricted")
    static Library open(String soname) {
        return new Library(soname, SymbolLookup.libraryLookup(soname, Arena.global()));
    }

    public String soname() {
        return soname;
    }

    /// Whether this release of the library has that function.
    public boolean has(String name) {
        return symbols.find(name).isPresent();
    }

    /// A function that tells of errors by what it returns; null when this release of the library lacks it.
    public MethodHandle plain(String name, MemoryLayout returns, MemoryLayout... takes) {
        return link(name, returns, takes);
    }

    /// A function that leaves its error number in `errno`; null when this release of the library lacks it.
    public MethodHandle withErrno(String name, MemoryLayout returns, MemoryLayout... takes) {
        return link(name, returns, takes, CallState.CAPTURE);
    }

    private MethodHandle link(String name, MemoryLayout returns, MemoryLayout[] takes, Linker.Option... options) {
        return symbols.find(name)
                .map(symbol -> Calls.link(symbol, descriptor(returns, takes), options))
                .orElse(null);
    }

    private static FunctionDescriptor descriptor(MemoryLayout returns, MemoryLayout[] takes) {
        return returns == null ? FunctionDescriptor.ofVoid(takes) : FunctionDescriptor.of(returns, takes);
    }

    /// The address of a function, or of a variable.
    public Optional<MemorySegment> find(String name) {
        return symbols.find(name);
    }

    /// The file it was loaded from, links followed; empty where the system does not tell.
    public Optional<Path> file() {
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            String stem = soname.substring(0, soname.indexOf(".so"));
            return maps.map(line -> line.substring(line.lastIndexOf(' ') + 1))
                    .filter(name -> name.contains("/" + stem + ".so"))
                    .findFirst()
                    .map(Path::of);
        } catch (IOException | RuntimeException unknown) {
            return Optional.empty();
        }
    }

    /// The release of rdma-core by the name of the file, for example `44.0`; empty when the name does not tell.
    public Optional<String> release() {
        return file().map(path -> RELEASE.matcher(path.toString()))
                .filter(Matcher::find)
                .map(m -> m.group(1) + "." + m.group(2));
    }

    @Override
    public String toString() {
        return soname;
    }
}
