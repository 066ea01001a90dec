package io.verbena.sockets.agent;

import io.verbena.sockets.SocketCounters;
import java.lang.System.Logger.Level;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Notices when Netty begins to use a transport of its own, which makes system calls and never asks a provider: then
/// everything works, over TCP. It changes no class.
final class NativeTransports implements ClassFileTransformer {
    private static final System.Logger LOG = System.getLogger("io.verbena.sockets");

    /// The classes that wait for events; Netty loads them when it has found its native library. Copies of Netty in
    /// other packages have a prefix.
    private static final Pattern LOOP = Pattern.compile(
            "(.*/)?io/netty/(?:incubator/)?channel/(epoll|kqueue|uring)/(?:Epoll|KQueue|IOUring|IoUring)(?:EventLoop|IoHandler)");

    private final Set<String> told = ConcurrentHashMap.newKeySet();

    /// What to tell when this class is loaded; null when it is none of a native transport.
    static String textOf(String className) {
        if (className == null || !className.contains("/netty/")) {
            return null;
        }
        Matcher match = LOOP.matcher(className);
        if (!match.matches()) {
            return null;
        }
        String prefix = match.group(1) == null ? "" : match.group(1).replace('/', '.');
        return "Netty's native transport %s bypasses java.nio and uses TCP; -D%sio.netty.transport.noNative=true turns it off"
                .formatted(match.group(2), prefix);
    }

    @Override
    public byte[] transform(
            ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
        String text = textOf(name);
        if (text != null && told.add(text)) {
            SocketCounters.onBypass(text);
            LOG.log(Level.WARNING, text);
        }
        return null;
    }
}
