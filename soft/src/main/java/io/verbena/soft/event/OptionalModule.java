package io.verbena.soft.event;

/// A module of the JDK that the software device uses if it is there. Small runtime images lack some.
public final class OptionalModule {
    private OptionalModule() {}

    /// Whether classes of a module of the JDK can be used.
    public static boolean isReadable(String module) {
        Module own = OptionalModule.class.getModule();
        return ModuleLayer.boot().findModule(module).filter(own::canRead).isPresent();
    }
}
