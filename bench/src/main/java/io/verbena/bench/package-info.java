/// Benchmarks with JMH. A stub library in C stands for the driver, so no adapter is needed.
package io.verbena.bench;
