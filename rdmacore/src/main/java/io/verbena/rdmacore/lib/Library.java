package io.verbena.rdmacore.lib;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Proxy;

/// One shared library, open until the process ends, and handles to its functions.
///
/// Functions come in two ways, as their manual pages tell how they fail: [#plain] for those that return their error
/// number, [#withErrno] for those that return -1 or NULL and leave it in `errno`. A handle of the second kind takes
/// the memory for it as first argument, see [CallState].
public final class Library {
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

    /// The functions of the library that the methods of an interface name with [CFunction].
    public <T> T bind(Class<T> functions) {
        return functions.cast(Proxy.newProxyInstance(
                functions.getClassLoader(), new Class<?>[] {functions}, new LibraryCalls(this, functions)));
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

    @Override
    public String toString() {
        return soname;
    }
}
