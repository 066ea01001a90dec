package io.verbena.sockets;

import java.nio.channels.SelectableChannel;
import java.nio.channels.spi.SelectorProvider;

/// The JDK's own provider, also where the system's provider is one of this module.
final class JdkProvider {
    private static final String NAME = "sun.nio.ch.DefaultSelectorProvider";

    private JdkProvider() {}

    private static final class Holder {
        static final SelectorProvider PROVIDER = find();
    }

    static SelectorProvider get() {
        return Holder.PROVIDER;
    }

    /// Whether a channel is of the JDK, and so of a kind that its selectors take.
    static boolean isOfJdk(SelectableChannel channel) {
        return channel.getClass().getModule() == Object.class.getModule();
    }

    private static SelectorProvider find() {
        try {
            return (SelectorProvider) Class.forName(NAME).getMethod("get").invoke(null);
        } catch (ReflectiveOperationException e) {
            SelectorProvider system = isSystemProviderOurs() ? null : SelectorProvider.provider();
            if (system == null || system instanceof RdmaSelectorProvider) {
                throw new IllegalStateException(
                        "the provider of the JDK, which TCP, datagrams and pipes need, is not accessible; start with"
                                + " -javaagent:verbena-sockets.jar, or add the option --add-exports"
                                + " java.base/sun.nio.ch=" + ourModule(),
                        e);
            }
            return system;
        }
    }

    /// Without asking for the system's provider, which may be about to be made by this very thread.
    private static boolean isSystemProviderOurs() {
        String name = System.getProperty("java.nio.channels.spi.SelectorProvider");
        return name != null && name.startsWith(JdkProvider.class.getPackageName());
    }

    private static String ourModule() {
        Module module = JdkProvider.class.getModule();
        return module.isNamed() ? module.getName() : "ALL-UNNAMED";
    }
}
