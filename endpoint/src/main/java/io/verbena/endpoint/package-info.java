/// Connections for RDMA programs. [io.verbena.endpoint.Endpoint] is where to start.
package io.verbena.endpoint;
