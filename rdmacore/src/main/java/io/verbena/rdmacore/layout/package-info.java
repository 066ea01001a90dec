/// The C structs: one class each, with its size, the offsets of its fields, and typed access.
///
/// Fields are read and written by address, as C does: the caller knows that the memory is there.
package io.verbena.rdmacore.layout;
