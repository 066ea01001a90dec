/// The C programs of rdma-core and perftest as peers of our commands, in both roles, on one device after the other.
package io.verbena.lab.peers;
