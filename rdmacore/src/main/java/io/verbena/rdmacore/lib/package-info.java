/// The C side: finding the libraries, calling them, and telling what an error number means.
package io.verbena.rdmacore.lib;
