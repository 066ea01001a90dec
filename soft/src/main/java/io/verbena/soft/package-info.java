/// The software device: an RDMA adapter inside the JVM that speaks RoCEv2 over UDP.
package io.verbena.soft;
