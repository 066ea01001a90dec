/// gRPC: its own tests of interoperability, and calls with either of its transports.
package io.verbena.applications.grpc;
