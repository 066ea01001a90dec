package io.verbena.bench.ours;

import io.verbena.bench.pair.Samples;

/// One side's part of one run. Making it gets everything ready; running it allocates nothing.
interface Loop {
    void run(Samples samples) throws Exception;
}
