/// The cost of the parts of the software device, in nanoseconds and bytes of garbage.
package io.verbena.bench.micro;
