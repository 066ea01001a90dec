/// A JUnit extension for programs that use Verbena.
module io.verbena.junit {
    requires transitive io.verbena.soft;
    requires transitive org.junit.jupiter.api;

    exports io.verbena.junit;
}
