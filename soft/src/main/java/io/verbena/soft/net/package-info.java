/// Wires: how packets leave and reach a device.
package io.verbena.soft.net;
