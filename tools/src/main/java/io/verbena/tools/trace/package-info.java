/// `--trace`: every verb call, completion and connection event of a program, with its time and its name in C.
///
/// [io.verbena.tools.trace.Tracing] wraps a provider in proxies of the API's interfaces, which record each call and
/// forward it. Programs without `--trace` use no proxies.
package io.verbena.tools.trace;
