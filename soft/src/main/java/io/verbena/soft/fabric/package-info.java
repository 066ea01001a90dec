/// For programs that want to be tested: a simulated network under a virtual clock.
package io.verbena.soft.fabric;
