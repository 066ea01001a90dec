/// Netty: its own tests of sockets, and an echo.
package io.verbena.applications.netty;
