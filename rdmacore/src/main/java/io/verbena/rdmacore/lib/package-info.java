/// The C side: finding the libraries, calling them, and explaining error numbers.
package io.verbena.rdmacore.lib;
