/// Devices, their contexts and protection domains, and what a device stands on: this host, or a simulated network.
package io.verbena.soft.device;
