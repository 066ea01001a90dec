/// The engine: the duty cycle of a device, which runs all queue pairs, and the threads that run it.
package io.verbena.soft.engine;
