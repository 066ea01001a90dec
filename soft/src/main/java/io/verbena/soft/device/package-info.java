/// Devices, their contexts and protection domains, and the environment of a device: this host, or a simulated network.
package io.verbena.soft.device;
