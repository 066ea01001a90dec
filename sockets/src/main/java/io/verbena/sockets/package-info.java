/// Sockets over RDMA: channels, selectors and sockets as in `java.nio` and `java.net`, and a provider for a whole JVM.
package io.verbena.sockets;
