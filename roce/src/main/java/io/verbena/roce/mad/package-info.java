/// The connection manager's messages: management datagrams (MADs) between the general services queue pairs of hosts.
package io.verbena.roce.mad;
