/// The agent that installs the selector provider of [io.verbena.sockets] in a JVM.
package io.verbena.sockets.agent;
