package io.verbena.bench.ours;

import io.verbena.bench.pair.Team;

/// One side's part of one run. The constructor prepares everything; running allocates nothing.
interface RunLoop extends Team.Part {}
