package io.verbena.rdmacore.layout;

/// What differs between architectures: glibc's `pthread_mutex_t` has 40 bytes on x86-64 and 48 on aarch64, so what
/// follows one in a struct is 8 bytes further there.
public final class Platform {
    public static final int MUTEX_EXTRA = mutexExtra(System.getProperty("os.arch"));

    private Platform() {}

    static int mutexExtra(String architecture) {
        return architecture.equals("aarch64") ? 8 : 0;
    }
}
