/// A simulated network under a virtual clock, for tests of programs.
package io.verbena.soft.fabric;
