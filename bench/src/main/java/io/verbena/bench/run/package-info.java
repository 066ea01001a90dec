/// One run of `./verbena bench`: the plan, the results, and the judgement of the goals.
package io.verbena.bench.run;
