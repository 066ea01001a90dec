/// The command line.
module io.verbena.tools {
    requires io.verbena.verbs;
}
