/// Byte-order access shared by the codecs; not exported.
package io.verbena.roce.bytes;
