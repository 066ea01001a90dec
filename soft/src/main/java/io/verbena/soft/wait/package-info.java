/// How threads wait for what engines bring about: for one event, for a channel of events, or for several channels.
package io.verbena.soft.wait;
