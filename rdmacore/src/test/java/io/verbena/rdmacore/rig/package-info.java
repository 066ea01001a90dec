/// What tests need in place of an adapter.
package io.verbena.rdmacore.rig;
