/// Tests of programs that use Verbena: a simulated network or devices on loopback addresses as parameters of test
/// methods, faults, repeatable seeds, and a check that everything was closed.
package io.verbena.junit;
