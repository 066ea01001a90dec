/// The C structs: one class each, with its size and a [StructField] for each of its numbers.
///
/// Fields are read and written by address, as C does: the caller knows that the memory is there.
package io.verbena.rdmacore.layout;
