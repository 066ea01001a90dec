/// Fault injection for tests of programs: which faults a wire has, for which frames, and how many there were.
package io.verbena.soft.fault;
