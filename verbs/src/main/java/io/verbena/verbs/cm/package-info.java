/// The connection manager: how two queue pairs find each other by IP address and port.
package io.verbena.verbs.cm;
