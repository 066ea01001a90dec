/// What tests of the software device are made with: pairs of devices, a watched link, packets made by hand.
package io.verbena.soft.rig;
