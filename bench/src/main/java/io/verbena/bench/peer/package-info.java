/// Other libraries as contestants of `./verbena bench`: Aeron, UCX, libfabric.
package io.verbena.bench.peer;
