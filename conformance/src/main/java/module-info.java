/// Contracts that every provider and path must pass. Open, because JUnit makes the contracts and calls their methods.
open module io.verbena.conformance {
    requires transitive io.verbena.verbs;
    requires transitive org.junit.jupiter.api;
    requires jdk.management;

    exports io.verbena.conformance;
    exports io.verbena.conformance.bench;
    exports io.verbena.conformance.connection;
    exports io.verbena.conformance.queue;
    exports io.verbena.conformance.transfer;
}
