/// Contracts that every provider and path must pass.
module io.verbena.conformance {
    requires transitive io.verbena.verbs;
}
