/// The conformance contracts between the software device and the kernel's, in the lab's Linux guest.
package io.verbena.lab;
