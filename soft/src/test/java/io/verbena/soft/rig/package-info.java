/// Helpers for tests of the software device: pairs of devices, a tap on a link, hand-built packets.
package io.verbena.soft.rig;
