/// The engine: one duty cycle per device that runs every queue pair, and who runs it.
package io.verbena.soft.engine;
