/// The native devices: RDMA adapters and the kernel's software ones, through libibverbs and librdmacm.
///
/// The objects of the API are in this package, what C has in `lib` (libraries, calls, errors) and `layout` (one class
/// per C struct), connections in `cm`.
package io.verbena.rdmacore;
