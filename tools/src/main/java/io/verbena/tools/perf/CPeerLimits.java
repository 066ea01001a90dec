package io.verbena.tools.perf;

import io.verbena.tools.program.ProgramException;
import java.util.ArrayList;
import java.util.List;

/// Checks that a run is one that a perftest program can take part in.
final class CPeerLimits {
    private static final int LARGEST_POWER = 23;

    private CPeerLimits() {}

    /// The sizes of `-a`: all powers of two from 2 to 2^23, for datagrams to the MTU.
    static List<Integer> allSizes(int largest) {
        List<Integer> sizes = new ArrayList<>();
        for (int power = 1; power <= LARGEST_POWER && 1 << power <= largest; power++) {
            sizes.add(1 << power);
        }
        return sizes;
    }

    static void require(PerfParameters parameters) {
        if (parameters.verify()) {
            throw new ProgramException("--verify is for two Verbena sides; the peer is "
                    + parameters.test().program() + ", which does not say what it sends");
        }
        List<Integer> sizes = parameters.sizes();
        if (sizes.size() > 1 && !sizes.equals(allSizes(sizes.getLast()))) {
            throw new ProgramException("the peer is " + parameters.test().program()
                    + ": it takes one size (-s), or all of them (-a on both sides)");
        }
    }
}
