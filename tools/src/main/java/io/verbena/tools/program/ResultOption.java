package io.verbena.tools.program;

import picocli.CommandLine.Option;

/// The option `--json`, for every program that has a result.
public final class ResultOption {
    @Option(names = "--json", description = "Print the result as JSON and nothing else.")
    private boolean json;

    /// Where the program called `name` writes.
    public Output output(String name, Usage usage) {
        return new Output(name, usage.out(), usage.err(), json);
    }
}
