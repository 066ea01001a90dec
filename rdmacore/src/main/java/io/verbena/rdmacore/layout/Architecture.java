package io.verbena.rdmacore.layout;

/// Differences between architectures: glibc's `pthread_mutex_t` has 40 bytes on x86-64 and 48 on aarch64, so fields
/// behind one are 8 bytes further there.
public final class Architecture {
    public static final int MUTEX_EXTRA = mutexExtra(System.getProperty("os.arch"));

    private Architecture() {}

    static int mutexExtra(String architecture) {
        return architecture.equals("aarch64") ? 8 : 0;
    }
}
