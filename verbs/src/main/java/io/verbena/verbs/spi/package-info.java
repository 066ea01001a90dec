/// The interface that providers implement, and the rules they share.
package io.verbena.verbs.spi;
