/// One class per RoCEv2 transport header: static accessors over a segment, at the offset where the header starts.
package io.verbena.roce.header;
