/// Replacements for an adapter in tests.
package io.verbena.rdmacore.rig;
