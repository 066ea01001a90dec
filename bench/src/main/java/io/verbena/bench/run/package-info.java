/// One run of `./verbena bench`: what is measured in which order, what came out, and which goals are met.
package io.verbena.bench.run;
