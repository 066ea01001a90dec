package io.verbena.bench.ours;

import io.verbena.bench.pair.Team;

/// One side's part of one run. Making it gets everything ready; running it allocates nothing.
interface Loop extends Team.Part {}
