/// How threads wait for events of engines: for one event, for a channel of events, or for several channels.
package io.verbena.soft.wait;
