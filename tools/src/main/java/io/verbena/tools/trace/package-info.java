/// `--trace`: every verb call, completion and connection event of a program, with its time and its name in C.
///
/// A traced provider is the provider behind [io.verbena.tools.trace.Tracing]: proxies of the API's interfaces that
/// say what they are asked and hand it on. Programs without `--trace` have none of it.
package io.verbena.tools.trace;
