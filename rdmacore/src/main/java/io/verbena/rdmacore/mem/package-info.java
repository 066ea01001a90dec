/// Registered memory: regions, and (beside them) windows.
package io.verbena.rdmacore.mem;
