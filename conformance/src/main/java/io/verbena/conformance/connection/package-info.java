/// Contracts on the connection manager.
package io.verbena.conformance.connection;
