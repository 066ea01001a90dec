package io.verbena.verbs.spi;

/// Whether a provider, or a path of a device, can be used, and if not, why and what to do about it.
public record Availability(boolean isAvailable, String cause, String remedy) {
    public static final Availability AVAILABLE = new Availability(true, "", "");

    /// Unavailable, with the cause and the remedy.
    public static Availability unavailable(String cause, String remedy) {
        return new Availability(false, cause, remedy);
    }

    @Override
    public String toString() {
        return isAvailable ? "available" : "unavailable: " + cause + "; " + remedy;
    }
}
