/// For programs that want to be tested: faults on the wire, and a simulated network under a virtual clock.
package io.verbena.soft.fabric;
