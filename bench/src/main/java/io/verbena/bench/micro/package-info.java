/// What the parts of the software device cost by themselves, in nanoseconds and bytes of garbage.
package io.verbena.bench.micro;
