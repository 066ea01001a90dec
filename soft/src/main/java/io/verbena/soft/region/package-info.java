/// Memory regions and memory windows as programs hold them, and the rules of registering memory.
package io.verbena.soft.region;
